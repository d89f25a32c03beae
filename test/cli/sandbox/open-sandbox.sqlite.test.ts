// What a sandbox is from outside: a shop with keys and a way into its dashboard, which leaves nothing.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { openScratchFolder } from "../../support/scratch.ts";
import { openSandboxShop, refusalOf } from "./sandbox-shop.ts";

setDefaultTimeout(60_000);

const NEW_YEAR = Date.UTC(2030, 0, 1, 9);

/** Opens an address as a browser with these cookies does; redirects are not followed. */
function visit(address: string, cookies: readonly string[] = []): Promise<Response> {
  const cookie = cookies.map((one) => one.split(";")[0]).join("; ");
  return fetch(address, { redirect: "manual", headers: { cookie } });
}

/** The bytes of all rows, without those that a page has left of what a row was before. */
function rowsOf(path: string): Buffer {
  using scratch = openScratchFolder();
  using file = new SqliteFile(path, { readonly: true });
  file.query("VACUUM INTO ?").run(scratch.file("rows.sqlite"));
  return readFileSync(scratch.file("rows.sqlite"));
}

test("a small sandbox sells four products, and both of its keys work", async () => {
  await using shop = await openSandboxShop();
  const { publishableKey } = shop.sandbox.memory;

  const products = await shop.get("/v2/products");
  const carts = await fetch(`${shop.url}/v2/catalog`, {
    headers: { Authorization: `Bearer ${publishableKey}` },
  });
  const picture = await fetch(products.string("/data/0/images/0/url"));

  expect(products.list("/data")).toHaveLength(4);
  expect(publishableKey).toStartWith("test_pk_");
  expect(carts.status).not.toBe(401);
  expect(picture.headers.get("Content-Type")).toBe("image/svg+xml");
});

test("a sandbox without a seed is empty", async () => {
  await using shop = await openSandboxShop({ seed: "none" });

  expect((await shop.get("/v2/products")).list("/data")).toEqual([]);
  expect((await shop.get("/v2/events")).number("/last_sequence")).toBe(0);
});

test("a full sandbox has three weeks of sales that end when its clock begins, and its own address", async () => {
  await using shop = await openSandboxShop({ seed: "full", clockAt: NEW_YEAR });

  const orders = await shop.get("/v2/orders?limit=1");
  const products = await shop.get("/v2/products");
  const clock = await shop.get("/v2/test/clock");
  const rows = rowsOf(`${shop.sandbox.directory}/test.sqlite`);

  expect(orders.string("/data/0/created_at")).toStartWith("2030-01-01T08:");
  expect(products.list("/data")).toHaveLength(12);
  expect(products.string("/data/0/images/0/url")).toStartWith(`${shop.url}/`);
  expect(clock.string("/now")).toStartWith("2030-01-01T09:00:");
  expect(rows.includes("sandbox.invalid")).toBe(false);
});

test("the clock of a sandbox begins where it is told, also in the past", async () => {
  await using shop = await openSandboxShop({ clockAt: Date.UTC(2020, 1, 29, 12) });

  const product = await shop.post("/v2/products", { name: "Mug", price: 8 });

  expect(product.string("/created_at")).toStartWith("2020-02-29T12:00:");
});

test("the printed link opens the dashboard of the test shop, once", async () => {
  await using shop = await openSandboxShop();
  const { dashboard } = shop.sandbox;

  const opened = await visit(dashboard);
  const cookies = opened.headers.getSetCookie();
  const again = await visit(dashboard, cookies);
  const elsewhere = await visit(dashboard);
  const home = await visit(`${shop.url}/dashboard/test`, cookies);

  expect([opened.status, opened.headers.get("location")]).toEqual([303, "/dashboard/test"]);
  expect(again.headers.get("location")).toBe("/dashboard/test");
  expect(elsewhere.headers.get("location")).toBe("/dashboard/enter?to=%2Fdashboard%2Ftest");
  expect(elsewhere.headers.getSetCookie()).toEqual([]);
  expect(home.status).toBe(200);
});

test("the owner signs in with the printed password", async () => {
  await using shop = await openSandboxShop();
  const { name, password } = shop.sandbox.owner;

  const entered = await fetch(`${shop.url}/dashboard/enter`, {
    method: "POST",
    redirect: "manual",
    headers: { "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ "/name": name, "/password": password, to: "/dashboard/test" }),
  });

  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/dashboard/test"]);
});

test("a sandbox has no live shop to open", async () => {
  await using shop = await openSandboxShop();

  const entered = await visit(shop.sandbox.dashboard);
  const home = await visit(`${shop.url}/dashboard/test`, entered.headers.getSetCookie());
  const live = await visit(`${shop.url}/dashboard`);
  const orders = await visit(`${shop.url}/dashboard/orders`);
  const ready = await shop.get("/readyz");

  expect(live.headers.get("location")).toBe("/dashboard/test");
  expect(orders.status).toBe(404);
  expect(await home.text()).not.toContain('href="/dashboard"');
  expect(ready.at("/modes")).toEqual(["test"]);
});

test("nothing is left of a sandbox that is not kept", async () => {
  const shop = await openSandboxShop();
  const { directory } = shop.sandbox;

  const before = existsSync(directory);
  await shop.sandbox.close();

  expect([before, existsSync(directory)]).toEqual([true, false]);
});

test("nothing is left of a sandbox that cannot listen, and its port is named", async () => {
  await using taken = await openSandboxShop();
  using folder = openScratchFolder();
  const { port } = new URL(taken.url);
  const keep = folder.file("kept");

  const opening = openSandboxShop({ port, keep });

  expect(await refusalOf(opening)).toContain(
    `Port ${port} of 127.0.0.1 is in use. Choose another port with --port; 0 takes any free one.`,
  );
  expect(existsSync(keep)).toBe(false);
});

test("a kept sandbox goes on with its keys, its sales and its pictures at another port", async () => {
  using folder = openScratchFolder();
  const keep = folder.file("kept");
  const first = await openSandboxShop({ keep });
  await first.post("/v2/products", { name: "Mug", price: 8 });
  await first.sandbox.close();

  await using second = await openSandboxShop({ keep });
  const products = await second.get("/v2/products");

  expect(second.url).not.toBe(first.url);
  expect(second.sandbox.memory.key).toBe(first.sandbox.memory.key);
  expect(products.list("/data")).toHaveLength(5);
  expect(products.string("/data/1/images/0/url")).toStartWith(`${second.url}/`);
});

test("a kept sandbox is not seeded a second time", async () => {
  using folder = openScratchFolder();
  const keep = folder.file("kept");
  await (await openSandboxShop({ keep })).sandbox.close();

  const again = openSandboxShop({ keep, seed: "full" });

  expect(await refusalOf(again)).toContain("has a sandbox already, which goes on as it is");
});

test("the directory of another shop does not become a sandbox", async () => {
  using folder = openScratchFolder();
  writeFileSync(folder.file("live.sqlite"), "");

  const opening = openSandboxShop({ keep: folder.path });

  expect(await refusalOf(opening)).toContain("is not empty and is no sandbox");
});
