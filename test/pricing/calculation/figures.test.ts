// Figures that others publish, or that their users complained about: what each of these sales comes to.

import { describe, expect, test } from "bun:test";

import { priceSale } from "#pricing/calculation/price-sale.ts";
import type { PricedSale, Taxes, UnpricedSale } from "#pricing/calculation/sale.ts";

import {
  amountOff,
  discount,
  flat,
  line,
  noTaxes,
  percentOff,
  rate,
  sale,
  taxes,
} from "./baskets.ts";

/** The figures of a priced sale that a table names. */
interface Figures {
  readonly total: number;
  readonly off?: number;
  readonly byDiscount?: Readonly<Record<string, number>>;
  readonly offByLine?: readonly number[];
  readonly shipping?: number;
  readonly tax?: number;
  readonly inside?: number;
  readonly taxByLine?: readonly number[];
  readonly byRate?: readonly number[];
  readonly bases?: readonly number[];
  readonly rejected?: Readonly<Record<string, string>>;
}

function figuresOf({ totals, lines, discounts, taxLines, notApplied }: PricedSale): Figures {
  return {
    total: totals.totalMinor,
    off: totals.discountMinor,
    byDiscount: Object.fromEntries(discounts.map((one) => [one.id ?? "manual", one.amountMinor])),
    offByLine: lines.map((one) => one.discountMinor),
    shipping: totals.shippingMinor,
    tax: totals.taxMinor,
    inside: totals.includedTaxMinor,
    taxByLine: lines.map((one) => one.taxMinor + one.includedTaxMinor),
    byRate: taxLines.map((one) => one.amountMinor),
    bases: taxLines.map((one) => one.taxableMinor),
    rejected: Object.fromEntries(notApplied.map(({ id, reason }) => [id, reason])),
  };
}

type Case = readonly [name: string, sale: UnpricedSale, figures: Figures];

function check(cases: readonly Case[]): void {
  test.each(cases)("%s", (_, given, figures) => {
    expect(figuresOf(priceSale(given))).toMatchObject(figures);
  });
}

const clothes = [line(10_000), line(5000), line(20_000)];
const all = [0, 1, 2];
const stacks = { isStackable: true };

describe("discounts as Shopify documents them", () => {
  const pants = discount("pants", [0], { target: "lines", terms: amountOff(2000), ...stacks });
  const shirt = discount("shirt", [1], { target: "lines", terms: amountOff(1000), ...stacks });
  const free = {
    target: "shipping",
    terms: percentOff(100),
    minimumSubtotalMinor: 10_000,
  } as const;
  const ten = discount("ten", all, { target: "order", terms: percentOff(10), ...stacks });
  const fifteen = discount("fifteen", all, { target: "order", terms: percentOff(15), ...stacks });

  check([
    [
      "two products are reduced, and shipping is free",
      sale(clothes, {
        candidates: [pants, shirt, discount("free", all, { ...free, ...stacks })],
        shipping: flat(2000),
      }),
      { total: 32_000, shipping: 0, offByLine: [2000, 1000, 0] },
    ],
    [
      "a percentage of the order comes after the reduced product",
      sale(clothes, { candidates: [pants, ten], shipping: flat(2000) }),
      { total: 31_700, byDiscount: { pants: 2000, ten: 3300 }, shipping: 2000 },
    ],
    [
      "two percentages of the order are of the same goods",
      sale(clothes, { candidates: [ten, fifteen] }),
      { total: 26_250, byDiscount: { ten: 3500, fifteen: 5250 } },
    ],
    [
      "50 off 50 and 100 is 16.67 and 33.33, where Shopify's page has 16.50 and 33.50",
      sale([line(5000), line(10_000)], { manual: amountOff(5000) }),
      { total: 10_000, offByLine: [1667, 3333] },
    ],
  ]);
});

describe("taxes as Stripe and commercetools document them", () => {
  check([
    [
      "0.43 and 4.84 at 15 %",
      sale([line(43), line(484)], { taxes: taxes("on_top", 15) }),
      { total: 606, taxByLine: [6, 73] },
    ],
    [
      "600 with 10 % inside",
      sale([line(60_000)], { taxes: taxes("included", 10) }),
      { total: 60_000, inside: 5455 },
    ],
    [
      "600 with 10 % on top",
      sale([line(60_000)], { taxes: taxes("on_top", 10) }),
      { total: 66_000, tax: 6000 },
    ],
    [
      "3 x 1.08 at 19 %",
      sale([line(108, 3)], { taxes: taxes("on_top", 19) }),
      { total: 386, tax: 62 },
    ],
  ]);
});

describe("examples of the checkout protocols UCP and ACP", () => {
  const twentyOff = discount("twenty", [0, 1], {
    target: "lines",
    terms: percentOff(20),
    ...stacks,
  });
  const rose = sale([line(3500)], { shipping: flat(500, 10_000) });
  check([
    [
      "10 off 60 and 40",
      sale([line(6000), line(4000)], {
        candidates: [discount("ten", [0, 1], { target: "order", terms: amountOff(1000) })],
      }),
      { total: 9000, offByLine: [600, 400] },
    ],
    [
      "20 % and then 10 off 100",
      sale([line(10_000)], {
        candidates: [
          { ...twentyOff, lines: [0] },
          discount("amount", [0], { target: "order", terms: amountOff(1000), ...stacks }),
        ],
      }),
      { total: 7000 },
    ],
    [
      "20 % of 2 x 20.00",
      sale([line(2000, 2)], { candidates: [{ ...twentyOff, lines: [0] }] }),
      { total: 3200, off: 800 },
    ],
    [
      "20 % of two products, then 5.00",
      sale([line(199_900), line(9900)], {
        candidates: [
          twentyOff,
          discount("amount", [0, 1], { target: "order", terms: amountOff(500), ...stacks }),
        ],
      }),
      { total: 167_340, byDiscount: { twenty: 41_960, amount: 500 } },
    ],
    ["a rose", rose, { total: 4000, shipping: 500 }],
    [
      "a rose with 10OFF",
      {
        ...rose,
        candidates: [discount("10OFF", [0], { target: "order", terms: percentOff(10) })],
      },
      { total: 3650 },
    ],
    [
      "a rose with FIXED500",
      {
        ...rose,
        candidates: [discount("FIXED500", [0], { target: "order", terms: amountOff(500) })],
      },
      { total: 3500 },
    ],
    ["three roses ship free", { ...rose, lines: [line(3500, 3)] }, { total: 10_500, shipping: 0 }],
  ]);
});

/** Five lines that others' roundings left a cent on. */
const five = [line(1150), line(1150), line(33), line(999, 3), line(1)];

describe("sums that came out wrong elsewhere", () => {
  check([
    [
      "woocommerce#16305: 40 % off 51.86, then 8.25 % tax",
      sale([line(5186)], { manual: percentOff(40), taxes: taxes("on_top", 8.25) }),
      { total: 3369, off: 2074, tax: 257 },
    ],
    [
      "odoo#271032: five lines without their whole price, tax on top",
      sale(five, { manual: percentOff(100), taxes: taxes("on_top", 15) }),
      { total: 0, tax: 0 },
    ],
    [
      "odoo#156897: five lines without their whole price, tax included",
      sale(five, { manual: percentOff(100), taxes: taxes("included", 15) }),
      { total: 0, inside: 0 },
    ],
    [
      "medusa#12226: an amount as high as the goods leaves nothing, not -1.6e-14",
      sale([line(9884), line(1999, 3)], {
        candidates: [discount("all", [0, 1], { target: "order", terms: amountOff(15_881) })],
        taxes: taxes("on_top", 23),
      }),
      { total: 0, off: 15_881, tax: 0 },
    ],
    [
      "medusa#5776: 10 off 50 with tax included is 40",
      sale([line(5000)], { manual: amountOff(1000), taxes: taxes("included", 10) }),
      { total: 4000, inside: 364 },
    ],
    [
      "saleor#17453: 40 % off the lines and 70 % off the order is not free",
      sale([line(1000, 10)], {
        candidates: [
          discount("forty", [0], { target: "lines", terms: percentOff(40), ...stacks }),
          discount("seventy", [0], { target: "order", terms: percentOff(70), ...stacks }),
        ],
      }),
      { total: 1800 },
    ],
    [
      "vendure#2662: ten at 38.23 with 20 % inside",
      sale([line(3823, 10)], { taxes: taxes("included", 20) }),
      { total: 38_230, inside: 6372 },
    ],
    [
      "vendure#3091: 10 % off 25 units is 10 % of their price",
      sale([line(36_606, 25)], { manual: percentOff(10) }),
      { total: 823_635, off: 91_515 },
    ],
    [
      "craft#1800: shipping that is free over 100 costs for 124.99 less 25 %",
      sale([line(12_499)], { manual: percentOff(25), shipping: flat(500, 10_000) }),
      { total: 9874, off: 3125, shipping: 500 },
    ],
    [
      "a code that costs the free shipping is not applied",
      sale([line(10_000)], {
        candidates: [discount("five", [0], { target: "order", terms: percentOff(5) })],
        shipping: flat(595, 10_000),
      }),
      { total: 10_000, off: 0, shipping: 0, rejected: { five: "no_effect" } },
    ],
  ]);
});

const ghana = taxes("on_top", 2.5, 2.5, 15);

describe("what tax offices ask for", () => {
  check([
    [
      "Ghana: 100.00 has two levies and the tax on the same base",
      sale([line(10_000)], { taxes: ghana }),
      { total: 12_000, byRate: [250, 250, 1500], bases: [10_000, 10_000, 10_000] },
    ],
    [
      "Ghana: 120.00 with these inside",
      sale([line(12_000)], { taxes: { ...ghana, isIncluded: true } }),
      { total: 12_000, byRate: [250, 250, 1500] },
    ],
    [
      "Ghana: 99.99 with these inside",
      sale([line(9999)], { taxes: { ...ghana, isIncluded: true } }),
      { total: 9999, byRate: [208, 208, 1250] },
    ],
    [
      "Ghana in 2025: levies of 6 %, and 15 % on these too, which is 15.9 %",
      sale([line(10_000)], { taxes: taxes("on_top", 2.5, 2.5, 1, 15.9) }),
      { total: 12_190, byRate: [250, 250, 100, 1590] },
    ],
    [
      "Kenya: 1000 and 300 with 16 % inside",
      sale([line(100_000), line(30_000)], { taxes: taxes("included", 16) }),
      { total: 130_000, inside: 17_931 },
    ],
    [
      "Nigeria: 1000 and 300 with 7.5 % on top",
      sale([line(100_000), line(30_000)], { taxes: taxes("on_top", 7.5) }),
      { total: 139_750 },
    ],
    [
      "Germany: shipping is taxed as the goods are",
      sale([line(10_000), line(5000, 1, { taxClass: "reduced" })], {
        shipping: { amountMinor: 600 },
        taxes: {
          ...noTaxes,
          isIncluded: true,
          shippingTax: "as_goods",
          ratesByClass: new Map([
            ["standard", [rate("USt", 19)]],
            ["reduced", [rate("USt", 7)]],
          ]),
        },
      }),
      { total: 15_600, bases: [5200, 10_400], byRate: [340, 1661] },
    ],
    [
      "Quebec: three decimals of a percent",
      sale([line(100_000)], { taxes: taxes("on_top", 5, 9.975) }),
      { total: 114_975, byRate: [5000, 9975] },
    ],
    [
      "reverse charge: the tax of the shop's country leaves the price",
      sale([line(11_900)], {
        shipping: flat(595),
        taxes: { ...taxes("included", 19), isExempt: true },
      }),
      { total: 10_500, inside: 0, shipping: 500, byRate: [] },
    ],
    [
      "a hundred lines of one pesewa carry no more tax than money",
      sale(
        Array.from({ length: 100 }, () => line(1)),
        { taxes: { ...ghana, isIncluded: true } },
      ),
      { total: 100, byRate: [2, 2, 13] },
    ],
  ]);
});

describe("classes of tax", () => {
  const perClass = (classes: Readonly<Record<string, number>>): Taxes => ({
    ...noTaxes,
    ratesByClass: new Map(
      Object.entries(classes).map(([taxClass, percent]) => [taxClass, [rate(taxClass, percent)]]),
    ),
  });
  const classes = perClass({ standard: 20, zero: 0, exempt: 20 });
  check([
    [
      "a class without rates is taxed as standard, and what is exempt never is",
      sale(
        ["books", "zero", "exempt", "standard"].map((taxClass) => line(1000, 1, { taxClass })),
        { taxes: classes },
      ),
      { total: 4400, taxByLine: [200, 0, 0, 200], bases: [2000, 1000], byRate: [400, 0] },
    ],
    [
      "shipping that follows goods without a price is taxed as standard",
      sale([line(0, 1, { taxClass: "zero" })], {
        shipping: flat(500),
        taxes: { ...classes, shippingTax: "as_goods" },
      }),
      { total: 600, bases: [500], byRate: [100] },
    ],
    [
      "shipping of exempt goods alone is not taxed where it follows them",
      sale([line(1000, 1, { taxClass: "exempt" })], {
        shipping: flat(500),
        taxes: { ...classes, shippingTax: "as_goods" },
      }),
      { total: 1500, byRate: [] },
    ],
    [
      "shipping is not taxed where the shop says so",
      sale([line(1000)], { shipping: flat(500), taxes: { ...classes, shippingTax: "none" } }),
      { total: 1700, bases: [1000] },
    ],
    [
      "rates that together are above 100 % never take more than there is",
      sale([line(2)], { taxes: taxes("included", 100, 100, 100) }),
      { total: 2, byRate: [1, 1, 0], taxByLine: [2] },
    ],
  ]);
});
