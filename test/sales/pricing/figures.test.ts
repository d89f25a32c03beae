// Figures that others publish: what a cart with these goods comes to, and the order that it becomes, through the
// interface.

import { describe, expect, test } from "bun:test";

import type { Goods } from "../../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { basket, complete } from "../carts/basket.ts";
import {
  accra,
  berlin,
  discount,
  levies,
  must,
  of,
  shipTo,
  sold,
  tax,
  taxesOf,
  totalsOf,
  usd,
} from "./priced-shop.ts";

type Terms = Readonly<Record<string, unknown>>;

interface Basket {
  /** Unit price, quantity and tax class of each line. */
  readonly lines: readonly (readonly [price: number | string, quantity?: number, tax?: string])[];
  /** Discounts of all goods, or of the line that `line` names. */
  readonly discounts?: readonly (Terms & { readonly line?: number })[];
  readonly shipping?: Terms;
  /** Rates of the country, and settings of the store. */
  readonly taxes?: { readonly country: string; readonly rates: readonly Terms[] } & Terms;
}

interface Figures extends Partial<ReturnType<typeof totalsOf>> {
  readonly total: number;
  readonly taxes?: readonly string[];
  readonly offByLine?: readonly number[];
}

async function fill(shop: TestShop, given: Basket): Promise<Answered> {
  const { country = "GH", ...taxes } = given.taxes ?? { rates: [] };
  await tax(shop, country, { ...taxes, rates: given.taxes?.rates ?? [] });
  const goods = await Promise.all(
    given.lines.map(([price, , tax_class = "standard"]) => sold(shop, price, { tax_class })),
  );
  await reduce(shop, goods, given.discounts ?? []);
  const option =
    given.shipping === undefined ? null : await shipTo(shop, [country], given.shipping);
  return basket(
    shop,
    goods.map((one, index) => of(one, given.lines[index]?.[1])),
    {
      shipping_address: country === "DE" ? berlin : { ...accra, country },
      ...(option !== null && { shipping: { rate_id: option } }),
    },
  );
}

async function reduce(
  shop: TestShop,
  goods: readonly Goods[],
  discounts: NonNullable<Basket["discounts"]>,
): Promise<void> {
  for (const { line, ...terms } of discounts) {
    const one = line === undefined ? undefined : goods[line];
    const scope = one === undefined ? {} : { scope: { product_ids: [one.productId] } };
    await discount(shop, { stackable: true, ...scope, ...terms });
  }
}

/** Proves that every total is the sum of its parts, of the lines and of the whole. */
function addsUp(answered: Answered): void {
  const totals = totalsOf(answered);
  const lines = answered.list("/line_items").map((line) => Object(line));
  const sum = (name: string) => lines.reduce((minor, line) => minor + line[name], 0);
  expect(totals.subtotal - totals.discount + totals.shipping + totals.tax).toBe(totals.total);
  expect(sum("discount_total_minor")).toBe(totals.discount);
  const taxes = answered.list("/tax_lines").map((line) => Object(line));
  const inside = taxes.filter(({ included }) => included);
  const ofTaxes = (some: readonly { readonly amount_minor: number }[]) =>
    some.reduce((minor, one) => minor + one.amount_minor, 0);
  expect(ofTaxes(inside)).toBe(totals.included);
  expect(ofTaxes(taxes)).toBe(totals.included + totals.tax);
  expect(sum("included_tax_total_minor")).toBeLessThanOrEqual(totals.included);
  expect(sum("tax_total_minor")).toBeLessThanOrEqual(totals.tax);
}

function check(cases: readonly (readonly [name: string, given: Basket, figures: Figures])[]): void {
  test.each(cases)("%s", async (_, given, { taxes, offByLine, ...totals }) => {
    await using shop = await openTestShop();

    const cart = await fill(shop, given);
    const order = must(await complete(shop, cart), 201);

    expect(totalsOf(cart)).toMatchObject(totals);
    expect(totalsOf(order)).toEqual(totalsOf(cart));
    expect(taxesOf(order)).toEqual(taxesOf(cart));
    if (taxes !== undefined) expect(taxesOf(cart)).toEqual([...taxes]);
    const off = cart.list("/line_items").map((line) => Object(line).discount_total_minor);
    if (offByLine !== undefined) expect(off).toEqual([...offByLine]);
    addsUp(cart);
    addsUp(order);
  });
}

const clothes = [[100], [50], [200]] as const;
const ship20 = { tiers: [{ from: 0, amounts: usd(20) }] };
const pants = { target: "lines", line: 0, amounts: usd(20), per: "unit" };
const shirt = { target: "lines", line: 1, amounts: usd(10), per: "unit" };

describe("discounts as Shopify documents them", () => {
  check([
    [
      "two products are reduced, and shipping is free",
      {
        lines: clothes,
        discounts: [
          pants,
          shirt,
          { target: "shipping", percent: 100, minimum: { amounts: usd(100) } },
        ],
        shipping: ship20,
      },
      { total: 32_000, shipping: 0, offByLine: [2000, 1000, 0] },
    ],
    [
      "a percentage of the order comes after the reduced product",
      { lines: clothes, discounts: [pants, { percent: 10 }], shipping: ship20 },
      { total: 31_700, discount: 5300, shipping: 2000 },
    ],
    [
      "two percentages of the order are of the same goods",
      { lines: clothes, discounts: [{ percent: 10 }, { percent: 15 }] },
      { total: 26_250, discount: 8750 },
    ],
  ]);
});

const on = (...rates: readonly number[]) =>
  rates.map((rate, index) => ({ name: `T${index}`, rate }));

describe("taxes as Stripe and commercetools document them", () => {
  check([
    [
      "0.43 and 4.84 at 15 %",
      { lines: [["0.43"], ["4.84"]], taxes: { country: "GH", rates: on(15) } },
      { total: 606, tax: 79 },
    ],
    [
      "600 with 10 % inside",
      { lines: [[600]], taxes: { country: "GH", rates: on(10), prices_include_tax: true } },
      { total: 60_000, included: 5455, tax: 0 },
    ],
    [
      "600 with 10 % on top",
      { lines: [[600]], taxes: { country: "GH", rates: on(10) } },
      { total: 66_000, tax: 6000 },
    ],
    [
      "3 x 1.08 at 19 %",
      { lines: [["1.08", 3]], taxes: { country: "DE", rates: on(19) } },
      { total: 386, tax: 62 },
    ],
  ]);
});

describe("the taxes of countries", () => {
  const mixed = [
    { name: "USt", rate: 19 },
    { name: "USt ermäßigt", rate: 7, tax_class: "reduced" },
  ];
  check([
    [
      "Ghana, on top of 100.00",
      { lines: [[100]], taxes: { country: "GH", rates: levies } },
      { total: 12_000, taxes: ["GETFund 10000 250", "NHIL 10000 250", "VAT 10000 1500"] },
    ],
    [
      "Ghana, inside 120.00",
      { lines: [[120]], taxes: { country: "GH", rates: levies, prices_include_tax: true } },
      { total: 12_000, taxes: ["GETFund 12000 250", "NHIL 12000 250", "VAT 12000 1500"] },
    ],
    [
      "Ghana, inside 99.99",
      { lines: [["99.99"]], taxes: { country: "GH", rates: levies, prices_include_tax: true } },
      { total: 9999, taxes: ["GETFund 9999 208", "NHIL 9999 208", "VAT 9999 1250"] },
    ],
    [
      "Ghana until 2025: levies, and VAT of 15 % on 106 %",
      {
        lines: [[100]],
        taxes: { country: "GH", rates: [...on(2.5, 2.5, 1), { name: "VAT", rate: 15.9 }] },
      },
      { total: 12_190, tax: 2190 },
    ],
    [
      "Kenya, inside 1000 and 300",
      {
        lines: [[1000], [300]],
        taxes: { country: "KE", rates: [{ name: "VAT", rate: 16 }], prices_include_tax: true },
      },
      { total: 130_000, included: 17_931 },
    ],
    [
      "Nigeria, on top of 1000 and 300",
      { lines: [[1000], [300]], taxes: { country: "NG", rates: [{ name: "VAT", rate: 7.5 }] } },
      { total: 139_750, tax: 9750 },
    ],
    [
      "Germany, inside 100 and 50 with shipping as the goods",
      {
        lines: [[100], [50, 1, "reduced"]],
        shipping: { tiers: [{ from: 0, amounts: usd(6) }] },
        taxes: {
          country: "DE",
          rates: mixed,
          prices_include_tax: true,
          shipping_tax: "as_goods",
        },
      },
      {
        total: 15_600,
        included: 2001,
        taxes: ["USt ermäßigt 5200 340", "USt 10400 1661"],
      },
    ],
  ]);
});

describe("examples of the checkout protocols", () => {
  const roses = { tiers: [{ from: 0, amounts: usd(5) }], free_over: usd(100) };
  check([
    [
      "10 off 60 and 40",
      { lines: [[60], [40]], discounts: [{ amounts: usd(10) }] },
      { total: 9000, offByLine: [600, 400] },
    ],
    [
      "20 % of the lines and then 10 of the order",
      {
        lines: [[100]],
        discounts: [{ target: "lines", percent: 20 }, { amounts: usd(10) }],
      },
      { total: 7000 },
    ],
    [
      "20 % of 2 x 20.00",
      { lines: [[20, 2]], discounts: [{ target: "lines", percent: 20 }] },
      { total: 3200, discount: 800 },
    ],
    [
      "two lines reduced by 20 %, and then 5.00",
      {
        lines: [[1999], [99]],
        discounts: [{ target: "lines", percent: 20 }, { amounts: usd(5) }],
      },
      { total: 167_340 },
    ],
    ["a flower with shipping", { lines: [[35]], shipping: roses }, { total: 4000 }],
    [
      "a flower with 10 %",
      { lines: [[35]], shipping: roses, discounts: [{ percent: 10 }] },
      { total: 3650 },
    ],
    [
      "a flower with 5.00 off",
      { lines: [[35]], shipping: roses, discounts: [{ amounts: usd(5) }] },
      { total: 3500 },
    ],
    ["three flowers ship free", { lines: [[35, 3]], shipping: roses }, { total: 10_500 }],
  ]);
});

describe("what went wrong elsewhere", () => {
  check([
    [
      "a discount meets a tax",
      {
        lines: [["51.86"]],
        discounts: [{ percent: 40 }],
        taxes: { country: "US", rates: on(8.25) },
      },
      { total: 3369, discount: 2074, tax: 257 },
    ],
    [
      "five lines are free, with tax on top",
      {
        lines: [["0.99"], ["1.01"], ["3.33"], ["7.77"], ["0.05"]],
        discounts: [{ percent: 100 }],
        taxes: { country: "GH", rates: on(15) },
      },
      { total: 0, tax: 0, taxes: [] },
    ],
    [
      "five lines are free, with tax inside",
      {
        lines: [["0.99"], ["1.01"], ["3.33"], ["7.77"], ["0.05"]],
        discounts: [{ percent: 100 }],
        taxes: { country: "GH", rates: on(15), prices_include_tax: true },
      },
      { total: 0, included: 0, taxes: [] },
    ],
    [
      "50 less 10 is 40",
      {
        lines: [[50]],
        discounts: [{ amounts: usd(10) }],
        taxes: { country: "GH", rates: on(10), prices_include_tax: true },
      },
      { total: 4000, included: 364 },
    ],
    [
      "40 % and 70 % do not add up to more than all",
      {
        lines: [[10, 10]],
        discounts: [{ target: "lines", percent: 40 }, { percent: 70 }],
      },
      { total: 1800 },
    ],
    [
      "a discount takes the goods below free shipping",
      {
        lines: [["124.99"]],
        discounts: [{ percent: 25 }],
        shipping: { tiers: [{ from: 0, amounts: usd(5) }], free_over: usd(100) },
      },
      { total: 9874, shipping: 500 },
    ],
  ]);
});
