// Units that cost nothing have no money that could go back.

import { expect, test } from "bun:test";

import type { Answered } from "../../support/shop.ts";
import { must, refund, refundsOf, sell, sharedTaxedShop, stocked } from "./taxed-sales.ts";

const { shop } = sharedTaxedShop();

/** Two gifts, which cost nothing, and a cup of 100.00. */
async function sellWithGifts(): Promise<Answered> {
  const gift = await stocked(shop, "Gift", { price: "0.00" });
  const cup = await stocked(shop, "Cup", { price: "100.00" });
  return sell(shop, [
    [gift, 2],
    [cup, 1],
  ]);
}

test("a refund of units that cost nothing is refused for its amount, and moves no unit", async () => {
  const order = await sellWithGifts();

  const refused = await refund(shop, order, { units: [1, 0] });

  expect([refused.status, ...refused.faults]).toEqual([422, "#/line_items amount_too_small"]);
  expect(refused.text).toContain("These units cost nothing");
  const after = await shop.get(`/v2/orders/${order.id}`);
  expect(after.at("/line_items/0/cancelled_quantity")).toBe(0);
});

test("units that cost nothing go back beside units that were paid", async () => {
  const order = await sellWithGifts();

  must(await refund(shop, order, { units: [1, 1] }), 201);

  expect(await refundsOf(shop, order)).toMatchObject([{ amount_minor: 12_000 }]);
  const after = await shop.get(`/v2/orders/${order.id}`);
  expect(after.at("/line_items/0/cancelled_quantity")).toBe(1);
});
