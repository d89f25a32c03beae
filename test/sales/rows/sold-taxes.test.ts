// The taxes of a sale of which units were cancelled before it was paid.

import { expect, test } from "bun:test";

import { auditsOf } from "../../payments/refund-counter.ts";
import { must, openTaxedShop, refund, stocked } from "../../payments/refunds/taxed-sales.ts";
import { initialize } from "../../payments/scripted-shop.ts";
import type { Answered } from "../../support/shop.ts";
import { place } from "../orders/counter.ts";

/** The amounts of the tax lines, in minor units. */
function amountsOf(list: readonly unknown[]): number[] {
  return list.map((line) => Number(Object(line).amount_minor));
}

/** 5 at 0.08 come to 0.48 with taxes of 0.01, 0.01 and 0.06; two of them to 0.19, so that 0.03 are tax. */
async function sellTwoOfFive() {
  const shop = await openTaxedShop();
  const variant_id = await stocked(shop, "Clip", { price: "0.08" });
  const order = await place(shop, [{ variant_id, quantity: 5 }], { payment_method: "cash" });
  const line_item_id = order.string("/line_items/0/id");
  const three = { line_items: [{ line_item_id, quantity: 3 }] };
  const headers = { "Idempotency-Key": "three" };
  must(await shop.put(`/v2/orders/${order.id}/cancel`, three, { headers }), 200);
  const { id } = await initialize(shop, { order_id: order.id, method: "cash" });
  must(await shop.post(`/v2/payments/${id}/confirm`, { amount: "0.19" }), 200);
  return { shop, order };
}

test("the taxes that are told with the payment come to the tax in its total", async () => {
  const { shop, order } = await sellTwoOfFive();
  await using _ = shop;

  const [paid] = (await shop.announced()).filter(({ event }) => event === "order.paid");

  expect(paid?.data).toMatchObject({
    subtotal_minor: 16,
    discount_total_minor: 0,
    tax_total_minor: 3,
    total_minor: 19,
  });
  expect(amountsOf(Object(paid?.data).tax_lines)).toEqual([1, 0, 2]);
  expect(order.list("/tax_lines")).toHaveLength(3);
});

test("its refund gives all of them back, and nothing of it is a finding", async () => {
  const { shop, order } = await sellTwoOfFive();
  await using _ = shop;

  const made: Answered = must(await refund(shop, order), 201);

  expect(made.at("/refunds/0")).toMatchObject({ amount_minor: 19, tax_total_minor: 3 });
  expect(amountsOf(made.list("/refunds/0/tax_lines"))).toEqual([1, 0, 2]);
  expect(await auditsOf(shop)).toEqual([]);
});
