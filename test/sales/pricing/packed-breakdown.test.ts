// Rows keep how a total came about in a short form. Those of former releases have it with the names of its members.

import { expect, test } from "bun:test";

import { packedBreakdown } from "#pricing/quote/breakdown.ts";

import { rowsBehind, tamper } from "../../support/behind-the-shop.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { place } from "../orders/counter.ts";
import { accra, discount, levies, must, of, shipTo, sold, tax } from "./priced-shop.ts";

/** A paid order with three taxes, a discount and shipping. */
async function sell(shop: TestShop) {
  await tax(shop, "GH", { rates: levies });
  await discount(shop);
  const shipping = { rate_id: await shipTo(shop, ["GH"]) };
  const lines = [of(await sold(shop, "33.33"), 3), of(await sold(shop, 10))];
  const paid = { method: "cash" };
  return place(shop, lines, { shipping_address: accra, shipping, paid });
}

async function kept(shop: TestShop): Promise<string> {
  const [row] = await rowsBehind(shop.folder.path, "SELECT breakdown FROM orders");
  return String(row?.["breakdown"]);
}

/** Writes the breakdown as former releases did. */
async function keepNames(shop: TestShop): Promise<string> {
  const named = JSON.stringify(packedBreakdown.unpack(JSON.parse(await kept(shop))));
  await tamper(shop.folder.path, `UPDATE orders SET breakdown = '${named}'`);
  return named;
}

test("an order of a former release is answered as it was", async () => {
  await using shop = await openTestShop();
  const order = await sell(shop);
  const before = must(await shop.get(`/v2/orders/${order.id}`), 200).text;

  const named = await keepNames(shop);

  expect(named).toContain('"amountMinor"');
  expect(must(await shop.get(`/v2/orders/${order.id}`), 200).text).toBe(before);
});

test("an order of a former release is refunded by its shares", async () => {
  await using shop = await openTestShop();
  const order = await sell(shop);
  await keepNames(shop);

  const refund = must(await shop.post(`/v2/orders/${order.id}/refunds`, { amount: 20 }), 201);

  const taxes = refund.list("/refunds/0/tax_lines");
  expect(taxes.map((one) => Object(one).amount_minor)).toEqual([42, 41, 250]);
});
