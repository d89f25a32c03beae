// What shipping costs: tiers by price and weight, free shipping, and the discounts of shipping.

import { expect, test } from "bun:test";

import { priceSale } from "#pricing/calculation/price-sale.ts";
import type { Candidate, ShippingOption } from "#pricing/calculation/sale.ts";
import { priceOfOption } from "#pricing/calculation/ship.ts";

import { amountOff, discount, flat, line, percentOff, sale } from "./baskets.ts";

const byPrice: ShippingOption = {
  kind: "by_price",
  tiers: [
    { from: 5000, amountMinor: 300 },
    { from: 1000, amountMinor: 500 },
  ],
  freeOverMinor: 9000,
};
const byWeight: ShippingOption = { ...byPrice, kind: "by_weight" };

test.each([
  ["goods below every tier are not offered it", byPrice, 999, 0, null],
  ["the lowest tier counts from its amount on", byPrice, 1000, 0, 500],
  ["the tier below the next counts", byPrice, 4999, 0, 500],
  ["the highest tier that is reached counts", byPrice, 5000, 0, 300],
  ["it is free from the threshold on", byPrice, 9000, 0, 0],
  ["it costs just below the threshold", byPrice, 8999, 0, 300],
  ["weight is what tiers by weight ask for", byWeight, 0, 5000, 300],
  ["goods decide about free shipping by weight", byWeight, 9000, 1000, 0],
  ["light goods are not offered it although it would be free", byWeight, 9000, 999, null],
] as const)("%s", (_, ...[option, goodsMinor, grams, price]) => {
  expect(priceOfOption(option, goodsMinor, grams)).toBe(price);
});

test("the weight is that of units that ship, and the store's default where there is none", () => {
  const lines = [
    line(100, 3, { weightGrams: 400 }),
    line(100, 2),
    line(100, 9, { weightGrams: 9000, requiresShipping: false }),
  ];
  const shipping: ShippingOption = {
    kind: "by_weight",
    tiers: [0, 2199, 2200, 2201].map((from) => ({ from, amountMinor: from })),
    freeOverMinor: null,
  };

  expect(priceSale(sale(lines, { shipping })).shipping.amountMinor).toBe(2200);
});

test("an option that does not reach the goods left by a discount is not offered", () => {
  const { shipping, totals } = priceSale(
    sale([line(1200)], { manual: percentOff(50), shipping: byPrice }),
  );

  expect(shipping).toMatchObject({ isOffered: false, amountMinor: 0 });
  expect(totals.totalMinor).toBe(600);
});

function offShipping(id: string, terms: Candidate["terms"], minimum: number | null = null) {
  return discount(id, [0], {
    target: "shipping",
    terms,
    isStackable: true,
    minimumSubtotalMinor: minimum,
  });
}

test("the largest discount of shipping counts, and its minimum is of goods after discounts", () => {
  const candidates = [
    offShipping("free over 100", percentOff(100), 10_000),
    offShipping("half", percentOff(50)),
    offShipping("two off", amountOff(200)),
  ];

  const priced = priceSale(
    sale([line(12_000)], { candidates, manual: percentOff(25), shipping: flat(500) }),
  );

  expect(priced.shipping).toMatchObject({ askedMinor: 500, discountMinor: 250, amountMinor: 250 });
  expect(priced.shipping.discountId).toBe("half");
  expect(priced.totals).toMatchObject({ discountMinor: 3000, shippingDiscountMinor: 250 });
  expect(priced.notApplied).toEqual([
    { id: "free over 100", reason: "minimum_not_met" },
    { id: "two off", reason: "no_effect" },
  ]);
});
