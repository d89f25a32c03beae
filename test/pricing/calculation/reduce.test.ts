// Which discounts apply together: all that stack, or one alone, whichever saves most.

import { expect, test } from "bun:test";

import { priceSale } from "#pricing/calculation/price-sale.ts";
import type { Candidate, PricedSale } from "#pricing/calculation/sale.ts";

import { amountOff, discount, line, percentOff, sale } from "./baskets.ts";

function ofOrder(id: string, percent: number, isStackable: boolean): Candidate {
  return discount(id, [0], { target: "order", terms: percentOff(percent), isStackable });
}

/** 100.00 with 5 % and 10 %, which stack, and others. */
function priced(...others: readonly Candidate[]): PricedSale {
  const candidates = [ofOrder("b", 5, true), ofOrder("c", 10, true), ...others];
  return priceSale(sale([line(10_000)], { candidates }));
}

function appliedIn({ discounts }: PricedSale): (string | null)[] {
  return discounts.map(({ id }) => id);
}

test("a discount that does not stack applies alone where it saves more than all that do", () => {
  const sixteen = priced(ofOrder("d", 14, false), ofOrder("e", 16, false));

  expect(appliedIn(sixteen)).toEqual(["e"]);
  expect(sixteen.notApplied).toEqual([
    { id: "b", reason: "not_combinable" },
    { id: "c", reason: "not_combinable" },
    { id: "d", reason: "not_combinable" },
  ]);
});

test("a tie keeps those that stack, and then the lowest id", () => {
  expect(appliedIn(priced(ofOrder("a", 15, false)))).toEqual(["b", "c"]);
  expect(appliedIn(priced(ofOrder("e", 20, false), ofOrder("d", 20, false)))).toEqual(["d"]);
});

test("each line takes the largest of the discounts of lines, and the lowest id where they are equal", () => {
  const candidates = [
    discount("a", [0, 1], { target: "lines", terms: percentOff(10), isStackable: true }),
    discount("b", [0, 1], { target: "lines", terms: amountOff(200, "unit"), isStackable: true }),
  ];

  const { discounts } = priceSale(sale([line(2000), line(1000)], { candidates }));

  expect(discounts).toEqual([
    { id: "a", target: "lines", amountMinor: 200, byLine: [200, 0] },
    { id: "b", target: "lines", amountMinor: 200, byLine: [0, 200] },
  ]);
});

test("minimums are of the eligible lines before discounts", () => {
  const minimum = { minimumSubtotalMinor: 3000, minimumQuantity: 2 };
  const terms = { target: "lines", terms: percentOff(10), ...minimum } as const;
  const twoLines = [line(1500, 2), line(9000)];

  const met = discount("met", [0], terms);
  const dear = discount("too few", [1], terms);
  const none = discount("no lines", [], terms);
  const { notApplied } = priceSale(
    sale(twoLines, { candidates: [met, dear, none], manual: percentOff(50) }),
  );

  expect(notApplied).toEqual([
    { id: "no lines", reason: "no_matching_items" },
    { id: "too few", reason: "minimum_not_met" },
  ]);
});
