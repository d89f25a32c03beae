// What limits refused is one line of Home, which leads to the setting that answers.

import { expect, test } from "bun:test";

import { type AbuseKind, abuseKinds } from "#kernel/abuse.ts";
import type { OpenShop } from "#open-shops.ts";

import { openDashboard, type SeenPage, type Visitor } from "./dashboard-shop.ts";

const NETWORK = "203.0.113.0/24";

/** A shop with an order in each mode, without which Home has only the first steps. */
async function openSold(settings: Readonly<Record<string, string>> = {}) {
  const dashboard = await openDashboard({ settings });
  const { shop } = dashboard;
  const live = await shop.createKey({ mode: "live" });
  const sale = {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    paid: { method: "cash" },
    fulfilled: true,
  };
  for (const key of [live, shop.key]) await shop.post("/v2/orders", sale, { key });
  return { ...dashboard, live, [Symbol.asyncDispose]: () => dashboard[Symbol.asyncDispose]() };
}

async function count({ marks }: OpenShop, ...kinds: readonly AbuseKind[]): Promise<void> {
  for (const kind of kinds) marks.count(kind, NETWORK);
  await marks.save();
}

/** The lines of what waits, and where each leads. */
async function linesOf(visitor: Visitor, mode: "test" | "live" = "test") {
  const { text, html }: SeenPage = await visitor.get(`/dashboard${mode === "test" ? "/test" : ""}`);
  const todo = /<ul class="todo">.*?<\/ul>/s.exec(html)?.[0] ?? "";
  const ways = [...todo.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  // By its clock the shop sold months ago, so that a backup is missing.
  return { text, ways: ways.filter((href) => href !== "/guides/go-live#files-backups-and-keys") };
}

test.each([
  ["shelf", "1 Order held back", "/dashboard/test/settings/shop"],
  ["guesses", "1 Sign-in code guessed", "/guides/security#customers-who-sign-in"],
  ["sign_ins", "1 Sign-in slowed down", "/dashboard/test/me/passkeys"],
  ["codes", "1 Sign-in code refused", "/dashboard/test/settings/shop"],
  ["orders", "1 Order refused", "/guides/security#what-a-visitor-may-cost"],
  ["refunds", "1 Refund refused", "/dashboard/test/settings/shop"],
  ["pictures", "1 Picture refused", "/guides/catalog#pictures"],
  ["requests", "1 Request refused", "/guides/security#what-a-visitor-may-cost"],
] as const)("%s are told with their way, which opens", async (kind, told, way) => {
  await using opened = await openSold();
  const { shop, owner } = opened;
  await count(shop.test, kind);

  const { text, ways } = await linesOf(owner);

  expect(text).toContain(told);
  expect(text).toContain(`most from ${NETWORK}`);
  expect(ways).toEqual([way]);
  expect((await owner.get(way)).status).toBe(200);
});

test("of many kinds the gravest is told, in one line", async () => {
  await using opened = await openSold();
  await count(opened.shop.test, ...abuseKinds, "shelf");

  const { text, ways } = await linesOf(opened.owner);

  expect(text).toContain("2 Orders held back");
  expect(ways).toHaveLength(1);
});

test("staff are told nothing of it", async () => {
  await using opened = await openSold();
  await count(opened.shop.test, "shelf");

  expect((await linesOf(await opened.join("staff", "Kofi"))).ways).toEqual([]);
});

test("a live shop that can send no code is told to connect mail", async () => {
  await using opened = await openSold();
  await count(opened.shop.live, "shelf");

  const { text, ways } = await linesOf(opened.owner, "live");

  expect(text).toContain("connect mail");
  expect(ways).toEqual(["/dashboard/settings/emails"]);
});

test.each([
  ["a mail server", { DUKA_SMTP_URL: "smtp://127.0.0.1:9", DUKA_MAIL_FROM: "a@shop.example" }, {}],
  ["a message hook", {}, { url: "https://shop.example/codes" }],
])("a live shop with %s is led to the share of strangers", async (_, settings, hook) => {
  await using opened = await openSold(settings);
  const { shop, live } = opened;
  if ("url" in hook) await shop.put("/v2/message-hook", hook, { key: live });
  await count(shop.live, "shelf");

  expect((await linesOf(opened.owner, "live")).ways).toEqual(["/dashboard/settings/shop"]);
});

test("a code by email that the limit of a day withheld is told without a word of SMS", async () => {
  await using opened = await openSold();
  const { shop, owner } = opened;
  await shop.put("/v2/store", { enforce_limits: true, limits: { email_codes_per_day: 0 } });
  await shop.post("/v2/customer-sessions/code", { email: "ada@shop.example" });

  const { text } = await linesOf(owner);

  expect(text).toContain("1 Sign-in code not sent");
  expect(text).toContain("the codes of a day were used up");
});
