// Files of products, customers and orders, as the dashboard saves them.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { customerColumns } from "#sheets/customer-rows.ts";

import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

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

test("customers are saved by whoever may read them, and the audit log says who did", async () => {
  const viewer = await dashboard.join("viewer", "Esi");
  const page = await viewer.get(`${HOME}/customers`);
  const file = await viewer.send(`${HOME}/customers/export`);

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
  });
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
