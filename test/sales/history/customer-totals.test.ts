// What a customer has spent: the sum of their orders, asked for and kept nowhere.

import { expect, test } from "bun:test";

import { tamper } from "../../support/behind-the-shop.ts";
import { ada } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

/** An order of one item of the merchant's own. */
async function place(shop: TestShop, terms: Readonly<Record<string, unknown>>): Promise<string> {
  const placed = await shop.post("/v2/orders", {
    line_items: [{ name: "Stool", unit_price: "20.00", quantity: 1 }],
    payment_method: "cash",
    ...terms,
  });
  expect(placed.status).toBe(201);
  return placed.id;
}

test("a customer has spent what was paid less what was refunded, in each currency by itself", async () => {
  const customer_id = await ada(shop);
  const paid = { method: "cash" };
  const first = await place(shop, { customer_id, paid });
  await place(shop, { customer_id, paid });
  await place(shop, { customer_id });
  await place(shop, { customer_id, currency: "KES", paid });
  await place(shop, { paid });
  const refund = await shop.post(`/v2/orders/${first}/refunds`, { amount: "5.50" });
  expect(refund.status).toBe(201);

  const totals = await shop.get(`/v2/customers/${customer_id}/totals`);

  expect(totals.body).toEqual({
    customer_id,
    currencies: [
      {
        currency: "KES",
        orders_count: 1,
        paid: 20,
        paid_minor: 2000,
        refunded: 0,
        refunded_minor: 0,
        spent: 20,
        spent_minor: 2000,
      },
      {
        currency: "USD",
        orders_count: 3,
        paid: 40,
        paid_minor: 4000,
        refunded: 5.5,
        refunded_minor: 550,
        spent: 34.5,
        spent_minor: 3450,
      },
    ],
  });
});

test("all orders are in the sum, also of a customer of thousands", async () => {
  await using shop = await openTestShop();
  const customer_id = await ada(shop);
  const id = await place(shop, { customer_id, paid: { method: "cash" } });
  const copies = 4_100;
  await tamper(
    shop.folder.path,
    `CREATE TEMPORARY TABLE copies AS
      WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${copies})
      SELECT orders.*, numbers.i FROM orders CROSS JOIN numbers WHERE orders.id = '${id}'`,
    "UPDATE copies SET id = 'ord_' || (1000000 + i), number = 5000 + i",
    "ALTER TABLE copies DROP COLUMN i",
    "INSERT INTO orders SELECT * FROM copies",
  );

  const totals = await shop.get(`/v2/customers/${customer_id}/totals`);

  expect(totals.at("/currencies/0/orders_count")).toBe(copies + 1);
  expect(totals.at("/currencies/0/spent_minor")).toBe((copies + 1) * 2000);
});

test("a customer who never ordered has spent nothing, and one that is unknown is not found", async () => {
  const id = await ada(shop);

  const totals = await shop.get(`/v2/customers/${id}/totals`);
  const unknown = await shop.get("/v2/customers/cus_00000000000000000000000000/totals");

  expect(totals.body).toEqual({ customer_id: id, currencies: [] });
  expect(unknown.code).toBe("customer_not_found");
});

test("a sum that no JSON reader could keep stops at the largest one", async () => {
  await using shop = await openTestShop();
  const customer_id = await ada(shop);
  await place(shop, { customer_id });
  await place(shop, { customer_id });
  await tamper(shop.folder.path, "UPDATE orders SET paid_minor = 8000000000000000");

  const totals = await shop.get(`/v2/customers/${customer_id}/totals`);

  expect(totals.status).toBe(200);
  expect(totals.at("/currencies/0/spent_minor")).toBe(Number.MAX_SAFE_INTEGER);
});
