// API keys at the dashboard: made, shown once, replaced, revoked, and by whom.

import { describe, expect, test } from "bun:test";

import { type DashboardShop, openDashboard, PASSWORD, sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const KEY = /test_[sp]k_[0-9A-Za-z]{49}/;
const MINUTE_MS = 60_000;

/** Makes a key, which has a number in its name where the shop is shared. */
async function make(
  { owner, shop }: DashboardShop,
  fields: Readonly<Record<string, string>> = { "/scopes/0": "read_only" },
) {
  const page = await owner.get("/dashboard/test/keys/new");
  const number = shop.nextNumber();
  const name = number === null ? "Delivery app" : `Delivery app ${number}`;
  const made = await owner.send("/dashboard/test/keys/new/make", {
    form: page.field("form"),
    "/name": name,
    "/kind": "secret",
    ...fields,
  });
  return { made, name, key: KEY.exec(made.html)?.[0] ?? "" };
}

async function idOf({ shop }: DashboardShop, name: string): Promise<string> {
  const listed = await shop.get("/v2/keys");
  const at = listed
    .list("/data")
    .findIndex((_, index) => listed.at(`/data/${index}/name`) === name);
  return listed.string(`/data/${at}/id`);
}

describe("a new key", () => {
  test("is shown once, works, and is on no page that is kept", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;

    const { made, key } = await make(dashboard);

    expect(made.status).toBe(200);
    expect(made.headers.get("cache-control")).toBe("no-store");
    expect((await shop.get("/v2/orders", { key })).status).toBe(200);
    const list = await owner.get("/dashboard/test/keys");
    expect(list.text).toContain("Delivery app");
    expect(list.text).toContain("Read only");
    expect(list.html).not.toContain(key);
    const id = await idOf(dashboard, "Delivery app");
    expect((await owner.get(`/dashboard/test/keys/${id}`)).html).not.toContain(key);
  });

  test("may do what was ticked and nothing else", async () => {
    await using dashboard = await openDashboard();
    const page = await dashboard.owner.get("/dashboard/test/keys/new");
    const name = /name="(\/scopes\/\d+)" value="orders:read"/.exec(page.html)?.[1] ?? "";

    const { key } = await make(dashboard, { "/scopes/0": "", [name]: "orders:read" });

    expect((await dashboard.shop.get("/v2/orders", { key })).status).toBe(200);
    expect((await dashboard.shop.get("/v2/customers", { key })).status).toBe(403);
  });

  test("without a choice is refused, and never may do everything", async () => {
    const { made, key, name } = await make(dashboard, {});

    expect([made.status, key]).toEqual([422, ""]);
    expect(made.text).toContain("Choose what it may do.");
    expect(made.field("/name")).toBe(name);
  });

  test("of the kind publishable does what a storefront needs", async () => {
    const { key } = await make(dashboard, { "/kind": "publishable" });

    expect(key).toStartWith("test_pk_");
    expect((await dashboard.shop.get("/v2/products", { key })).status).toBe(200);
  });

  test("ends after its last day in the shop's time zone", async () => {
    await using dashboard = await openDashboard();
    await dashboard.shop.put("/v2/store", { timezone: "Africa/Nairobi" });

    await make(dashboard, { "/scopes/0": "full", "/expires_at": "2026-12-31" });

    const id = await idOf(dashboard, "Delivery app");
    const key = await dashboard.shop.get(`/v2/keys/${id}`);
    expect(key.string("/expires_at")).toBe("2026-12-31T21:00:00.000Z");
    const page = await dashboard.owner.get("/dashboard/test/keys");
    expect(page.text).toContain("until 31 Dec");
  });

  test("of a person has the shop's limit of requests, not the person's", async () => {
    const { name } = await make(dashboard);

    const key = await dashboard.shop.get(`/v2/keys/${await idOf(dashboard, name)}`);
    expect(key.at("/rate_per_minute")).toBeNull();
  });

  test("is one key, however often the form is sent", async () => {
    const { owner, shop } = dashboard;
    const page = await owner.get("/dashboard/test/keys/new");
    const fields = { form: page.field("form"), "/name": "Twice", "/scopes/0": "full" };
    const before = (await shop.get("/v2/keys")).list("/data").length;

    await Promise.all([
      owner.send("/dashboard/test/keys/new/make", fields),
      owner.send("/dashboard/test/keys/new/make", fields),
    ]);

    expect((await shop.get("/v2/keys")).list("/data").length).toBe(before + 1);
  });
});

describe("a key", () => {
  test("gets another name", async () => {
    const { name } = await make(dashboard);
    const id = await idOf(dashboard, name);

    const page = await dashboard.owner.sendAndFollow(`/dashboard/test/keys/${id}/rename`, {
      "/name": "Courier",
    });

    expect(page.text).toContain("Saved.");
    expect(page.text).toContain("Courier");
  });

  test("gets a name back that it had before", async () => {
    const { name } = await make(dashboard);
    const path = `/dashboard/test/keys/${await idOf(dashboard, name)}`;
    const rename = async (to: string) => {
      const form = (await dashboard.owner.get(path)).field("form");
      return dashboard.owner.sendAndFollow(`${path}/rename`, { form, "/name": to });
    };

    await rename("Courier");
    await rename("Rider");
    const page = await rename("Courier");

    expect(page.text).toContain("Saved.");
    expect(page.field("/name")).toBe("Courier");
  });

  test("of the kind publishable is shown whenever it is looked for", async () => {
    const { key } = await make(dashboard, { "/kind": "publishable", "/name": "Web shop" });
    const id = await idOf(dashboard, "Web shop");

    const page = await dashboard.owner.get(`/dashboard/test/keys/${id}`);

    expect(page.text).toContain(key);
  });

  test("is replaced by another one that is shown once, and ends with the overlap", async () => {
    const { owner, shop } = dashboard;
    const { key: old, name } = await make(dashboard);
    const path = `/dashboard/test/keys/${await idOf(dashboard, name)}/rotate`;
    const page = await owner.get(path);

    const answer = await owner.send(`${path}/sure`, {
      form: page.field("form"),
      "/overlap_hours": "0",
    });

    const key = KEY.exec(answer.html)?.[0] ?? "";
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await shop.get("/v2/orders", { key })).status).toBe(200);
    expect((await shop.get("/v2/orders", { key: old })).status).toBe(401);
  });

  test("is revoked on a page that says what last used it", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const { key } = await make(dashboard);
    const path = `/dashboard/test/keys/${await idOf(dashboard, "Delivery app")}/revoke`;
    expect((await owner.get(path)).text).toContain("never used");

    const page = await owner.sendAndFollow(`${path}/sure`);

    expect(page.text).toContain("Revoked: it no longer works.");
    expect((await shop.get("/v2/orders", { key })).status).toBe(401);
    expect((await owner.get(path.replace("/revoke", ""))).text).not.toContain("Replace key");
  });
});

describe("15 minutes after the password was given", () => {
  test("the page for a new key asks for it first, and then leads back", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    shop.clock.advance(16 * MINUTE_MS);

    const asked = await owner.get("/dashboard/test/keys/new");
    const to = "/dashboard/test/keys/new";
    const back = await owner.send("/dashboard/confirm", { to, "/password": PASSWORD });

    expect(asked.location).toBe(`/dashboard/confirm?to=${encodeURIComponent(to)}`);
    expect(back.location).toBe(to);
    expect((await owner.get(to)).status).toBe(200);
  });

  test("no form makes, replaces or revokes a key", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const { key } = await make(dashboard);
    const here = `/dashboard/test/keys/${await idOf(dashboard, "Delivery app")}`;
    shop.clock.advance(16 * MINUTE_MS);

    const sent = [
      await owner.send("/dashboard/test/keys/new/make", { "/name": "X", "/scopes/0": "full" }),
      await owner.send(`${here}/rotate/sure`, { "/overlap_hours": "0" }),
      await owner.send(`${here}/revoke/sure`),
    ];

    for (const { text } of sent) expect(text).toContain("Please enter your password again");
    expect((await shop.get("/v2/orders", { key })).status).toBe(200);
  });
});

test("staff see no keys", async () => {
  const staff = await dashboard.join("staff", "Kofi");

  expect((await staff.get("/dashboard/test/keys")).status).toBe(403);
  const sent = await staff.send("/dashboard/test/keys/new/make", { "/name": "X" });
  expect(sent.status).toBe(403);
});

test("a shop without keys says once what they are for", async () => {
  await using dashboard = await openDashboard();
  const { text } = await dashboard.owner.get("/dashboard/keys");

  expect(text.split("A key lets a program into this shop")).toHaveLength(2);
});
