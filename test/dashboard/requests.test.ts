// The requests of programs at the dashboard: the list, and one request with what was sent and what came back.

import { expect, test } from "bun:test";

import { curlOf } from "#dashboard/developers/requests-page.ts";

import { ada } from "../support/cast.ts";
import { decoded, openDashboard, sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const PATH = "/dashboard/test/requests";

const named = (id: string) => ({ headers: { "X-Request-Id": id } });

/** What stands in the element with this id, as it is copied. */
function textOf(html: string, id: string): string {
  return decoded(new RegExp(`id="${id}">([^<]*)<`).exec(html)?.[1] ?? "");
}

/** What a shell makes of a command line of curl: each argument. */
function argumentsOf(line: string): string[] {
  const script = `KEY=the-key\ncurl() { printf '%s\\0' "$@"; }\n${line}`;
  const { stdout, exitCode } = Bun.spawnSync(["sh", "-c", script]);
  expect(exitCode).toBe(0);
  return stdout.toString().split("\0").slice(0, -1);
}

test("an empty list has the line that sends the first request", async () => {
  await using dashboard = await openDashboard();

  const { text } = await dashboard.owner.get(PATH);

  expect(text).toContain("No requests yet");
  expect(text).toContain(`curl '${dashboard.shop.url}/v2/store'`);
});

test("a refused request is among those that failed, and says what was wrong", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  await ada(shop);
  await shop.post("/v2/customers", { email: "<b>ada</b>" }, named("refused"));

  const failed = await owner.get(`${PATH}?show=failed`);
  const page = await owner.get(`${PATH}/refused`);

  expect(failed.html).toContain(`href="${PATH}/refused"`);
  expect(failed.text).toContain("422 Refused · validation_failed · First key");
  expect(failed.text).not.toContain("201");
  expect(page.text).toContain(
    "#/email This is not an email address, such as ada@example.com. invalid_format",
  );
  expect(page.text).toContain('{ "email": "<b>ada</b>" }');
  expect(page.html).toContain('href="/docs/errors#validation_failed"');
});

test("older requests are reached page by page, and those of one key alone", async () => {
  const { shop, owner } = dashboard;
  const till = await shop.post("/v2/keys", { name: "Till", scopes: ["full"] });
  for (let index = 0; index < 24; index += 1) {
    await shop.get("/v2/store", { key: till.string("/key"), ...named(`look-${index}`) });
  }

  const found: string[] = [];
  for (let path = `${PATH}?key=${till.id}`; path !== "";) {
    const { html } = await owner.get(path);
    found.push(...[...html.matchAll(/requests\/look-(\d+)"/g)].map(([, at = ""]) => at));
    path = decoded(/rel="next" href="([^"]+)"/.exec(html)?.[1] ?? "");
  }

  expect(found).toEqual(Array.from({ length: 24 }, (_, index) => String(23 - index)));
});

test("the line for a shell has the body as it was sent, and no key", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  const body = '{"name":"Ama\'s \\"$HOME\\" `mug`\\\\","price":12.50}';
  await shop.send("POST", "/v2/products", { text: body, ...named("mug") });

  const { html } = await owner.get(`${PATH}/mug`);
  const line = textOf(html, "curl");

  expect(line).not.toContain(shop.key);
  const given = argumentsOf(line);
  expect(given.slice(0, 2)).toEqual(["-X", "POST"]);
  expect(given).toContain("Authorization: Bearer the-key");
  expect(given.at(-1)).toBe(body);
});

test("an address is one to curl, also with the brackets of a filter and a quote", () => {
  const url = "http://127.0.0.1:4000/v2/orders?created_at[gte]=2026-01-01&q=it's";

  expect(argumentsOf(curlOf({ method: "GET", url, body: null }))).toEqual([
    "--globoff",
    url,
    "-H",
    "Authorization: Bearer the-key",
  ]);
});

test("the live shop has the requests without their bodies", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  const key = await shop.createKey({ mode: "live" });
  await shop.post("/v2/customers", { email: "ada@example.com" }, { key, ...named("live") });

  const { text } = await owner.get("/dashboard/requests/live");

  expect(text).toContain("POST /v2/customers");
  expect(text).toContain("Bodies are not kept in the live shop.");
  expect(text).not.toContain("ada@example.com");
});

test("what was sent of a customer is gone once a person erased it here", async () => {
  const { shop, owner } = dashboard;
  const body = { email: "ada@example.com", name: "Ada Mensah" };
  const { id } = await shop.post("/v2/customers", body, named("ada"));
  const home = `/dashboard/test/customers/${id}/erase`;
  const version = (await owner.get(home)).field("version");

  await owner.send(`${home}/sure`, { version });

  const { text } = await owner.get(`${PATH}/ada`);
  expect(text).toContain("Not kept");
  expect(text).not.toMatch(/ada@example|Mensah/);
});

test("a person without the keys does not see the requests", async () => {
  await using dashboard = await openDashboard();
  const staff = await dashboard.join("staff", "Kofi");

  expect((await staff.get(PATH)).status).toBe(403);
  expect((await staff.get("/dashboard/test")).html).not.toContain(`href="${PATH}"`);
});
