// What the check of a shop finds of discounts, taxes and shipping: each figure that an order, a refund or a discount
// keeps is found when it is changed behind the shop, and is named.

import { beforeAll, describe, expect, test } from "bun:test";

import type { Difference } from "#kernel/difference.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditDiscounts } from "#pricing/discount-uses/audit-discounts.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { tamper, withJson } from "../../support/behind-the-shop.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { place } from "../orders/counter.ts";
import { placeOf } from "./kept-places.ts";
import { accra, discount, must, of, shipTo, sold, tax, usd } from "./priced-shop.ts";

const rates = [
  { name: "NHIL", rate: 2.5 },
  { name: "VAT", rate: 15 },
  { name: "VAT", rate: 5, tax_class: "food" },
];

/** Gives the shop three taxes, two discounts and a rate; returns the rate. */
async function trade(shop: TestShop, isIncluded: boolean): Promise<string> {
  await tax(shop, "GH", { rates, prices_include_tax: isIncluded });
  await discount(shop, { title: "Summer", codes: ["SUMMER"], stackable: true, usage_limit: 99 });
  await discount(shop, { title: "Half", target: "shipping", percent: 50, per_customer_limit: 99 });
  return shipTo(shop, ["GH"], { tiers: [{ from: 0, amounts: usd(10) }] });
}

/** An order of three cups and a loaf: 10 % off, 5.00 of shipping at half its price, and three taxes. */
async function sell(shop: TestShop, rate_id: string, terms: object = {}): Promise<Answered> {
  const lines = [of(await sold(shop, "33.33"), 3), of(await sold(shop, 10, { tax_class: "food" }))];
  return place(shop, lines, {
    discount_codes: ["SUMMER"],
    shipping_address: accra,
    shipping: { rate_id },
    customer: { email: "ada@example.com" },
    ...terms,
  });
}

/** A shop whose prices do not contain tax, with an order that is not paid. */
async function tradingShop() {
  const shop = await openTestShop();
  return { shop, order: await sell(shop, await trade(shop, false)) };
}

/** A shop whose prices do not contain tax, and one whose prices do. */
const [plain, included] = [sharedShop(), sharedShop()];
let [plainRate, includedRate] = ["", ""];
beforeAll(async () => {
  [plainRate, includedRate] = [await trade(plain, false), await trade(included, true)];
});

async function differences(shop: TestShop): Promise<Difference[]> {
  const { read } = shop.test.database;
  const audits = [auditDiscounts, auditOrders, auditPayments];
  return (await Promise.all(audits.map((audit) => Array.fromAsync(audit(read))))).flat();
}

/** The differences that were found before, each with its subject. */
const known = new Set<string>();

/** The differences that were not found before, in words without their subjects. */
async function found(shop: TestShop): Promise<string[]> {
  const fresh = (await differences(shop)).filter((one) => !known.has(JSON.stringify(one)));
  for (const one of fresh) known.add(JSON.stringify(one));
  return fresh.map(({ what, expected, found: kept }) => `${what}: ${expected}, ${kept}`);
}

const change = (path: string, value: number | null | readonly []) =>
  `UPDATE orders SET breakdown = ${withJson("breakdown", placeOf(path), value)}`;

/** The statement for this order alone. */
function onlyOf({ id }: Answered, statement: string): string {
  const column = statement.startsWith("UPDATE orders ") ? "id" : "order_id";
  return `${statement} ${statement.includes(" WHERE ") ? "AND" : "WHERE"} ${column} = '${id}'`;
}

const food = "VAT 5 % (GH) of food goods";
const nhil = "NHIL 2.5 % (GH) of standard goods";
const vat = "VAT 15 % (GH) of standard goods";

describe("the check finds", () => {
  test.each<[string, string, string[]]>([
    ["a tax total", "UPDATE orders SET tax_minor = 1", ["tax_total_minor: 1707, 1"]],
    [
      "the tax of a line",
      "UPDATE order_lines SET tax_minor = 1 WHERE position = 1",
      ["tax_total_minor: 45, 1"],
    ],
    [
      "the discount of a line",
      "UPDATE order_lines SET discount_minor = 1 WHERE position = 1",
      ["discount_total_minor: 100, 1"],
    ],
    ["a discount total", "UPDATE orders SET discount_minor = 1", ["discount_total_minor: 1100, 1"]],
    ["a tax", change("taxes.2.amountMinor", 1), [`${vat}, on top: 1425, 1`]],
    ["the base of a tax", change("taxes.0.taxableMinor", 1), [`base of ${food}, on top: 900, 1`]],
    [
      "the share of a line in a tax",
      change("taxes.1.byLine.0.amountMinor", 1),
      [`${nhil}, on top in line 1: 225, 1`],
    ],
    [
      "the share of a line in a base",
      change("taxes.1.byLine.1.taxableMinor", 1),
      [`base of ${nhil}, on top in line 2: 0, 1`],
    ],
    [
      "the share of shipping in a tax",
      change("taxes.2.shipping.amountMinor", 1),
      [`${vat}, on top in shipping: 75, 1`],
    ],
    [
      "the share of shipping in a base",
      change("taxes.2.shipping.taxableMinor", 1),
      [`base of ${vat}, on top in shipping: 500, 1`],
    ],
    [
      "the rate of a tax",
      change("taxes.0.rate.millionths", 60_000),
      [
        `taxes: ${food}, on top, ${nhil}, on top, ${vat}, on top, VAT 6 % (GH) of food goods, on top, ${nhil}, on top, ${vat}, on top`,
      ],
    ],
    ["the tax of shipping", change("shipping.taxMinor", 1), ["tax of shipping: 87, 1"]],
    [
      "the tax inside shipping",
      change("shipping.includedTaxMinor", 1),
      ["tax inside shipping: 0, 1"],
    ],
    [
      "the discount of shipping",
      change("shipping.discountMinor", 1),
      ["discount of shipping: 500, 1"],
    ],
    ["a discount", change("discounts.0.amountMinor", 1), ["amount of Summer: 1100, 1"]],
    [
      "shares of a discount of shipping",
      change("discounts.1.byLine.0", 1),
      ["shares of Half: 0, 1"],
    ],
    ["taxes of a sale that is not paid", change("sold", 1), ["taxes of the sale: none, kept"]],
  ])("%s", async (...[, statement, wrong]) => {
    const order = await sell(plain, plainRate);
    const before = await found(plain);

    await tamper(plain.folder.path, onlyOf(order, statement));

    expect(before).toEqual([]);
    expect(await found(plain)).toEqual(wrong);
  });

  test.each<[string, string, string[]]>([
    [
      "taxes inside prices that were lost",
      change("taxes", []),
      [`taxes: ${food}, inside, ${nhil}, inside, ${vat}, inside, none`],
    ],
    [
      "the share of a line in a tax inside its price",
      change("taxes.0.byLine.1.amountMinor", 1),
      [`${food}, inside in line 2: 43, 1`],
    ],
    ["taxes of a sale that were lost", change("sold", null), ["taxes of the sale: kept, none"]],
    [
      "a tax of more than was sold",
      change("sold.taxes.0.amountMinor", 44),
      [`sold ${food}, inside: 43, 44`],
    ],
    [
      "a base of less than was sold",
      change("sold.taxes.0.taxableMinor", 899),
      [`sold base of ${food}, inside: 900, 899`],
    ],
    [
      "a kept tax of units that were not credited",
      change("sold.kept.taxes.0.amountMinor", 1),
      [`kept ${food}, inside: 0, 1`],
    ],
  ])("of a paid order %s", async (...[, statement, wrong]) => {
    const order = await sell(included, includedRate, { paid: { method: "cash" } });
    const before = await found(included);

    await tamper(included.folder.path, onlyOf(order, statement));

    expect(before).toEqual([]);
    expect(await found(included)).toEqual(wrong);
  });

  test.each<[string, string, number | string, string[]]>([
    ["a tax", "0.amountMinor", 44, ["refunded VAT: at most 43, 44"]],
    ["a base", "1.taxableMinor", 9_500, ["refunded base of NHIL: at most 9499, 9500"]],
    ["the name of a tax", "1.rate.name", "VAT", ["taxes: those of the order, others"]],
    ["the class of a tax", "0.taxClass", "standard", ["taxes: those of the order, others"]],
  ])("%s of a refund", async (...[, path, value, wrong]) => {
    const order = await sell(included, includedRate, { paid: { method: "cash" } });
    must(await included.post(`/v2/orders/${order.id}/refunds`, { amount: 50 }), 201);
    const before = await found(included);

    const statement = `UPDATE refunds SET taxes = ${withJson("taxes", path, value)}`;
    await tamper(included.folder.path, onlyOf(order, statement));

    expect(before).toEqual([]);
    expect(await found(included)).toEqual(wrong);
  });

  test.each<[string, string, string[]]>([
    [
      "uses of a discount",
      "UPDATE discounts SET used_count = 3 WHERE title = 'Summer'",
      ["used_count: 1, 3"],
    ],
    [
      "uses of a code",
      "UPDATE discount_codes SET usage_limit = 5, used_count = 3",
      ["used_count: 1, 3"],
    ],
    [
      "uses of a customer",
      "UPDATE discount_buyers SET uses = 3 WHERE discount_id IN (SELECT id FROM discounts WHERE title = 'Half')",
      ["uses: 1, 3"],
    ],
    [
      "a use that does not count",
      "UPDATE discount_uses SET counted = false WHERE code = 'SUMMER'",
      ["used_count: 0, 1"],
    ],
  ])("%s", async (...[, statement, wrong]) => {
    const { shop } = await tradingShop();
    await using _ = shop;

    await tamper(shop.folder.path, statement);

    expect((await found(shop)).map((one) => one.replace(/ of cus_\w+/, ""))).toEqual(wrong);
  });

  test("the order and the line that differ", async () => {
    const { shop, order } = await tradingShop();
    await using _ = shop;
    await tamper(
      shop.folder.path,
      "UPDATE order_lines SET tax_minor = 1 WHERE position = 1",
      change("taxes.0.amountMinor", 1),
    );

    expect(await differences(shop)).toEqual([
      { subject: order.id, what: `${food}, on top`, expected: 45, found: 1 },
      {
        subject: order.string("/line_items/1/id"),
        what: "tax_total_minor",
        expected: 45,
        found: 1,
      },
    ]);
  });
});
