// Files of products, customers and orders, as the dashboard saves them.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { MINUTE_MS } from "#kernel/time.ts";
import { customerColumns } from "#sheets/customer-rows.ts";

import { type DashboardShop, decoded, openDashboard, PASSWORD } from "./dashboard-shop.ts";

const HOME = "/dashboard/test";

let dashboard: DashboardShop;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  await shop.post("/v2/products", { name: "Mug", sku: "MUG", price: 12.5, stock: 3 });
  const customer = { email: "ada@example.com", name: "=Ada" };
  const line_items = [{ name: "Bowl", unit_price: "20.00", quantity: 1 }];
  await shop.post("/v2/orders", { customer, line_items, paid: { method: "cash" } });
});
afterAll(() => dashboard[Symbol.asyncDispose]());

test("customers are saved by owners and staff, and the audit log says who took how many", async () => {
  const staff = await dashboard.join("staff", "Esi");
  const page = await staff.get(`${HOME}/customers`);
  const file = await staff.send(`${HOME}/customers/export`);

  expect(page.text).toContain("Export customers");
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(file.headers.get("content-disposition")).toContain("customers_2026-01-05.csv");
  expect(file.headers.get("cache-control")).toBe("no-store");
  expect(file.html.trim().split("\r\n")).toEqual([
    expect.stringContaining(customerColumns.join(",")),
    "ada@example.com,,'=Ada,,,false,,,none,,,,,,,,,",
  ]);
  const log = await dashboard.shop.get("/v2/audit?limit=1");
  expect(log.at("/data/0")).toMatchObject({
    action: "export customers",
    actor: { type: "person", name: "Esi" },
    after: { rows: 1 },
  });
});

test("a viewer sees customers and orders, and takes no file of them out of the shop", async () => {
  const viewer = await dashboard.join("viewer", "Kojo");
  const id = (await dashboard.shop.get("/v2/customers")).string("/data/0/id");
  const pages = [
    `${HOME}/customers`,
    `${HOME}/customers/${id}`,
    `${HOME}/orders?show=all`,
    `${HOME}/reports`,
  ];
  const forms = [
    `${HOME}/customers/export`,
    `${HOME}/customers/${id}/export`,
    `${HOME}/orders/export/file?from=2026-01-05&to=2026-01-05`,
  ];

  for (const path of pages) expect((await viewer.get(path)).html).not.toContain("/export");
  for (const path of forms) expect((await viewer.send(path)).status).toBe(403);
  expect((await viewer.get(`${HOME}/orders/export`)).status).toBe(403);
  expect((await viewer.send(`${HOME}/products/export`)).status).toBe(200);
});

test("a file of customers or orders needs the password again after a quarter of an hour", async () => {
  await using late = await openDashboard();
  const { shop, owner } = late;
  await shop.post("/v2/customers", { email: "ada@example.com" });
  const id = (await shop.get("/v2/customers")).string("/data/0/id");
  shop.clock.advance(16 * MINUTE_MS);
  const forms = [
    `${HOME}/customers/export`,
    `${HOME}/customers/${id}/export`,
    `${HOME}/orders/export/file?from=2026-01-01&to=2026-02-01`,
  ];

  const asked = [];
  for (const path of forms) asked.push(await owner.send(path));
  const products = await owner.send(`${HOME}/products/export`);
  const days = asked.at(-1)?.html.match(/<form[^>]*action="([^"]*)" data-file>/)?.[1] ?? "";
  const file = await owner.send(decoded(days), { "confirm-password": PASSWORD });

  for (const { text, headers } of asked) {
    expect(text).toContain("enter your password again");
    expect(headers.get("content-disposition")).toBeNull();
  }
  expect(products.headers.get("content-disposition")).toContain("products_");
  expect(file.headers.get("content-disposition")).toContain("orders_2026-01-01_2026-02-01.csv");
  const log = await shop.get("/v2/audit?limit=1");
  expect(log.at("/data/0")).toMatchObject({ action: "export orders", after: { rows: 0 } });
});

test("the audit log counts the orders of the days alone, and the records of one person's file", async () => {
  const { shop, owner } = dashboard;
  const id = (await shop.get("/v2/customers")).string("/data/0/id");

  await owner.send(`${HOME}/orders/export/file?from=2026-01-01&to=2026-01-04`);
  await owner.send(`${HOME}/orders/export/file?from=2026-01-05&to=2026-01-05`);
  const file = JSON.parse((await owner.send(`${HOME}/customers/${id}/export`)).html);

  const log = await shop.get("/v2/audit?limit=3");
  const lists = Object.values(file).filter(Array.isArray);
  expect(log.at("/data/0/after")).toEqual({ rows: 1 + lists.flat().length });
  expect(log.at("/data/1/after")).toEqual({ rows: 1 });
  expect(log.at("/data/2/after")).toEqual({ rows: 0 });
});

test("products are saved as the command saves them", async () => {
  const file = await dashboard.owner.send(`${HOME}/products/export`);

  expect(file.status).toBe(200);
  expect(file.html).toContain("mug,Mug,,MUG,,12.50,,3,true,deny");
});

test("orders are saved of the days that are chosen", async () => {
  const { owner } = dashboard;
  const page = await owner.get(`${HOME}/orders/export?from=2026-01-05&to=2026-01-05`);
  const file = await owner.send(`${HOME}/orders/export/file?from=2026-01-05&to=2026-01-05`);
  const before = await owner.send(`${HOME}/orders/export/file?from=2026-01-01&to=2026-01-04`);
  const wrong = await owner.send(`${HOME}/orders/export/file?from=2026-02-31&to=2026-03-01`);

  expect((await owner.get(`${HOME}/orders?show=all`)).html).toContain(`${HOME}/orders/export"`);
  expect(page.text).toContain("Orders placed from 2026-01-05 to 2026-01-05.");
  expect(file.headers.get("content-disposition")).toContain("orders_2026-01-05_2026-01-05.csv");
  expect(file.html).toContain("sale,1001,2026-01-05,2026-01-05,");
  expect(file.html).toContain(",'=Ada,ada@example.com,");
  expect(before.html.trim().split("\r\n")).toHaveLength(1);
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain("This is not a day");
});
