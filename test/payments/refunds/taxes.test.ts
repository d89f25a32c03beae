// The taxes in refunds: they are the parts of what was sold, and all of it in the end.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { tamper, withJson } from "../../support/behind-the-shop.ts";
import { runs } from "../../support/runs.ts";
import { auditsOf } from "../refund-counter.ts";
import { initialize, paidAtGateway, settle } from "../scripted-shop.ts";
import {
  bodiesOf,
  bodyOf,
  inMajor,
  must,
  nonZero,
  openTaxedShop,
  refund,
  refundsOf,
  sell,
  sellFor,
  sharedTaxedShop,
  stocked,
  takeBack,
  taxesOf,
} from "./taxed-sales.ts";

const book = { name: "VAT", rate: 5, tax_class: "books" };
const vat = { name: "VAT", rate: 20 };

const levied = sharedTaxedShop({ store: { shipping_tax: "standard" } });
const taxed = sharedTaxedShop({ rates: [vat, book], store: { shipping_tax: "standard" } });
const untaxed = sharedTaxedShop({ rates: [] });

/** Sells cups and novels at 100.00 each, with VAT of 20 and of 5 percent. */
async function sellBoth([cups, novels]: readonly [number, number], terms: object) {
  const { shop } = taxed;
  const cup = await stocked(shop, "Cup", { price: "100.00" });
  const novel = await stocked(shop, "Novel", { price: "100.00", tax_class: "books" });
  const lines = [
    [cup, cups],
    [novel, novels],
  ] as const;
  return sell(shop, lines, terms);
}

describe("a refund of units", () => {
  test("has the units' part of each of three taxes on top: 0.83, 0.83 and 5.00", async () => {
    const { shop } = levied;
    const cup = await stocked(shop, "Cup", { price: "33.33" });
    const order = await sell(shop, [[cup, 3]]);

    const made = await refund(shop, order, { units: [1] });

    expect(must(made, 201).at("/refunds/0")).toMatchObject({
      amount: 40,
      tax_total: 6.66,
      tax_total_minor: 666,
      included_tax_total: 0,
      shipping_total: 0,
      tax_lines: [
        { name: "GETFund", rate: 2.5, country: "GH", region: null, tax_class: "standard" },
        { name: "NHIL", included: false, taxable: 33.33, amount: 0.83, amount_minor: 83 },
        { name: "VAT", rate: 15, taxable_minor: 3_333, amount: 5 },
      ],
      line_items: [{ amount: 40, tax_total: 6.66, included_tax_total: 0, discount_total: -0.01 }],
    });
  });

  test("has the part of the tax that the price contains, and adds nothing to it", async () => {
    await using shop = await openTaxedShop({ store: { prices_include_tax: true } });
    const cup = await stocked(shop, "Cup", { price: "120.00" });
    const order = await sell(shop, [[cup, 2]]);

    const made = must(await refund(shop, order, { units: [1] }), 201);

    expect(made.at("/refunds/0")).toMatchObject({
      amount: 120,
      tax_total: 0,
      included_tax_total: 20,
      line_items: [{ tax_total: 0, included_tax_total: 20, discount_total: 0 }],
    });
    expect(taxesOf(bodiesOf(made, "/refunds"))).toEqual({ GETFund: 250, NHIL: 250, VAT: 1_500 });
  });

  test("has the units' part of the discount, and taxes of what was paid for them", async () => {
    const { shop } = taxed;
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sell(shop, [[cup, 4]], { discount: { title: "Friend", percent: 10 } });

    const made = must(await refund(shop, order, { units: [1] }), 201);

    expect(made.at("/refunds/0")).toMatchObject({
      amount: 10.8,
      tax_total: 1.8,
      line_items: [{ amount: 10.8, tax_total: 1.8, discount_total: 1, discount_total_minor: 100 }],
    });
  });

  test("for another amount has taxes in proportion to it", async () => {
    const { shop } = taxed;
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sell(shop, [[cup, 4]]);
    const line_item_id = order.string("/line_items/0/id");

    const made = await refund(shop, order, {
      line_items: [{ line_item_id, quantity: 1, amount: "6.00" }],
    });

    expect(must(made, 201).at("/refunds/0")).toMatchObject({
      amount: 6,
      tax_total: 1,
      tax_lines: [{ taxable: 5, amount: 1 }],
      line_items: [{ amount: 6, tax_total: 1 }],
    });
  });

  test("has no tax where the shop has none", async () => {
    const { shop } = untaxed;
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sell(shop, [[cup, 2]]);

    const made = must(await refund(shop, order, { units: [1] }), 201);

    expect(made.at("/refunds/0")).toMatchObject({ tax_total: 0, tax_lines: [] });
    expect(made.at("/refunds/0/line_items/0")).toMatchObject({ tax_total: 0, discount_total: 0 });
  });

  test("is announced with its taxes", async () => {
    const { shop } = levied;
    const cup = await stocked(shop, "Cup", { price: "33.33" });
    const order = await sell(shop, [[cup, 3]]);

    const made = await refund(shop, order, { units: [1] });

    const last = (await shop.announced()).find(({ event }) => event === "order.refunded");
    expect(last).toMatchObject({ data: { refund: { tax_total_minor: 666, tax_lines: {} } } });
    expect(last?.data).toMatchObject({ refund: { tax_lines: made.at("/refunds/0/tax_lines") } });
  });

  test("repeated with its idempotency key is answered with the same taxes and gives back nothing more", async () => {
    const { shop } = levied;
    const cup = await stocked(shop, "Cup", { price: "33.33" });
    const order = await sell(shop, [[cup, 3]]);
    const line_items = [{ line_item_id: order.string("/line_items/0/id"), quantity: 1 }];
    const headers = { "Idempotency-Key": "one-cup" };
    const path = `/v2/orders/${order.id}/refunds`;

    const first = await shop.post(path, { line_items }, { headers });
    const again = await shop.post(path, { line_items }, { headers });

    expect(again.body).toEqual(must(first, 201).body);
    expect(await refundsOf(shop, order)).toHaveLength(1);
  });
});

describe("a refund of shipping", () => {
  const shipping = { label: "Courier", amount: "10.00" };

  test("contains its tax, and is no more than what was charged and not yet refunded", async () => {
    const { shop } = taxed;
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const order = await sell(shop, [[cup, 1]], { shipping });

    const part = must(await refund(shop, order, { shipping: "4.50" }), 201);
    const more = await refund(shop, order, { shipping: "7.51" });
    const rest = must(await refund(shop, order, { shipping: "7.50" }), 201);
    const none = await refund(shop, order, { shipping: "0.01" });

    expect(part.at("/refunds/0")).toMatchObject({
      amount: 4.5,
      tax_total: 0.75,
      shipping_total: 4.5,
      shipping_total_minor: 450,
      line_items: [],
    });
    expect(more.faults).toEqual(["#/shipping more_than_shipping"]);
    expect(rest.at("/refunds/0")).toMatchObject({ amount: 7.5, tax_total: 1.25 });
    expect(none.faults).toEqual(["#/shipping more_than_shipping"]);
    const after = await shop.get(`/v2/orders/${order.id}`);
    expect([after.at("/status"), after.at("/refunded_total")]).toEqual(["open", 12]);
  });

  test("beside units adds up to both", async () => {
    const { shop } = taxed;
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const order = await sell(shop, [[cup, 2]], { shipping });

    const made = must(await refund(shop, order, { units: [1], shipping: "12.00" }), 201);

    expect(made.at("/refunds/0")).toMatchObject({
      amount: 132,
      tax_total: 22,
      shipping_total: 12,
      line_items: [{ amount: 120, tax_total: 20 }],
    });
  });

  test("is refused beside an amount, with every other fault", async () => {
    const { shop } = taxed;
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const order = await sell(shop, [[cup, 1]], { shipping });

    const refused = await refund(shop, order, { units: [2], shipping: "99.00", amount: "1.00" });

    expect(refused.status).toBe(422);
    expect(refused.faults).toEqual([
      "#/line_items/0/quantity more_than_left",
      "#/shipping conflicting_fields",
      "#/shipping more_than_shipping",
    ]);
  });

  test("is possible in a shop without taxes", async () => {
    const { shop } = untaxed;
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const order = await sell(shop, [[cup, 1]], { shipping });

    const made = must(await refund(shop, order, { shipping: "10.00" }), 201);

    expect(made.at("/refunds/0")).toMatchObject({ amount: 10, shipping_total: 10, tax_total: 0 });
  });
});

describe("a refund by amount", () => {
  test("has taxes in proportion, and the last one has the rest", async () => {
    const { shop } = levied;
    const cup = await stocked(shop, "Cup", { price: "33.33" });
    const order = await sell(shop, [[cup, 3]]);

    await refund(shop, order, { amount: "40.00" });
    await refund(shop, order, { amount: "0.01" });
    await refund(shop, order);

    const [first, , last] = await refundsOf(shop, order);
    expect(first).toMatchObject({ amount_minor: 4_000, tax_total_minor: 667 });
    expect(last?.amount_minor).toBe(7_998);
    expect(taxesOf(await refundsOf(shop, order))).toEqual(taxesOf([bodyOf(order)]));
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of a surplus has none: money that was not owed comes back first", async () => {
    const { shop } = taxed;
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const order = await sellFor(shop, [[cup, 1]], { amounts: ["150.00"] });

    const surplus = must(await refund(shop, order, { amount: "20.00" }), 201);
    const both = must(await refund(shop, order, { amount: "70.00" }), 201);

    expect(surplus.at("/refunds/0")).toMatchObject({ tax_total: 0, tax_lines: [] });
    expect(both.at("/refunds/0")).toMatchObject({ tax_total: 10, tax_lines: [{ taxable: 50 }] });
  });

  test("of a deposit before the order is paid has none", async () => {
    const { shop } = taxed;
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const order = await sell(shop, [[cup, 1]], { paid: { method: "cash", amount: "60.00" } });

    const made = must(await refund(shop, order, { amount: "60.00" }), 201);

    expect(made.at("/refunds/0")).toMatchObject({ amount: 60, tax_total: 0, tax_lines: [] });
  });
});

describe("refunds of several payments", () => {
  test("share the taxes by their amounts and come to them exactly", async () => {
    const { shop } = levied;
    const cup = await stocked(shop, "Cup", { price: "33.33" });
    const shipping = { label: "Courier", amount: "10.00" };
    const order = await sellFor(shop, [[cup, 3]], {
      amounts: ["50.01", "40.00", "41.98"],
      shipping,
    });

    const made = must(await refund(shop, order, { units: [2], shipping: "12.00" }), 201);

    const refunds = bodiesOf(made, "/refunds");
    expect(refunds).toMatchObject([
      { amount_minor: 4_198, shipping_total_minor: 548, line_items: [{ tax_total_minor: 1_334 }] },
      { amount_minor: 4_000, shipping_total_minor: 521, line_items: [] },
      { amount_minor: 1_001, shipping_total_minor: 131, line_items: [] },
    ]);
    expect(taxesOf(refunds)).toEqual({ GETFund: 192, NHIL: 192, VAT: 1_150 });
    expect(refunds.map((one) => one.tax_total_minor)).toEqual([700, 667, 167]);
    expect(await auditsOf(shop)).toEqual([]);
  });
});

describe("a refund that failed", () => {
  test("leaves its taxes to others, and made again it has what they left", async () => {
    const { shop, gateway } = taxed;
    const order = await sellBoth([1, 1], { paid: undefined });
    const { id } = await initialize(shop, { order_id: order.id });
    await paidAtGateway(taxed, id);
    gateway.nextRefund = { kind: "failed", gatewayCode: "closed", gatewayRefundId: null };

    const failed = must(await refund(shop, order, { units: [1, 0] }), 201);
    const other = must(await refund(shop, order, { amount: "105.00" }), 201);
    const again = await shop.post(`/v2/refunds/${failed.string("/refunds/0/id")}/retry`);

    expect(failed.at("/refunds/0/tax_total")).toBe(20);
    expect(must(again, 200).at("/tax_total")).toBe(25 - Number(other.at("/refunds/0/tax_total")));
    expect(await auditsOf(shop)).toEqual([]);
  });
});

describe("the audit", () => {
  test("finds refunds that have more of a tax than was sold, or less than all of it in the end", async () => {
    await using shop = await openTaxedShop({ rates: [vat] });
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const order = await sell(shop, [[cup, 1]]);
    const made = must(await refund(shop, order, { amount: "60.00" }), 201);
    const only = `WHERE id = '${made.string("/refunds/0/id")}'`;
    const change = (path: string, value: unknown) =>
      `UPDATE refunds SET taxes = ${withJson("taxes", path, value)} ${only}`;
    await tamper(shop.folder.path, change("0.amountMinor", 2_001));
    const more = await auditsOf(shop);
    must(await refund(shop, order), 201);
    await tamper(shop.folder.path, `UPDATE refunds SET taxes = '[]' ${only}`);

    const fewer = await auditsOf(shop);

    const wrong = { subject: order.id, what: "refunded VAT" };
    expect(more).toEqual([{ ...wrong, expected: "at most 2000", found: 2001 }]);
    expect(fewer).toEqual([
      { ...wrong, what: "refunded base of VAT", expected: 10_000, found: 5000 },
      { ...wrong, expected: 2000, found: 0 },
    ]);
  });
});

describe("a refund that a timer makes", () => {
  test("has the taxes of the units that came back, not of those that were kept", async () => {
    const { shop } = taxed;
    const order = await sellBoth([1, 1], { fulfilled: true });
    const line_items = [{ line_item_id: order.string("/line_items/1/id"), quantity: 1 }];

    must(await shop.post(`/v2/orders/${order.id}/returns`, { line_items }), 201);
    await settle(shop);

    expect(await refundsOf(shop, order)).toMatchObject([
      { amount_minor: 10_500, tax_total_minor: 500, tax_lines: [{ tax_class: "books" }] },
    ]);
  });

  test("beside a refund of other units has the taxes of its own", async () => {
    const { shop } = taxed;
    const order = await sellBoth([2, 2], { fulfilled: true });
    const line_items = [{ line_item_id: order.string("/line_items/1/id"), quantity: 1 }];

    must(await shop.post(`/v2/orders/${order.id}/returns`, { line_items }), 201);
    must(await refund(shop, order, { units: [1, 0] }), 201);
    await settle(shop);

    // The timer may fire before the request, or after it.
    const byAmount = (await refundsOf(shop, order)).toSorted(
      (one, other) => other.amount_minor - one.amount_minor,
    );
    expect(byAmount).toMatchObject([
      { amount_minor: 12_000, tax_total_minor: 2_000 },
      { amount_minor: 10_500, tax_total_minor: 500 },
    ]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("has no taxes of units for which the merchant keeps the money", async () => {
    const { shop } = taxed;
    const order = await sellBoth([1, 2], { fulfilled: true });

    must(await takeBack(shop, order, { units: [1, 0], refund: "20.00" }), 201);
    await settle(shop);
    must(await takeBack(shop, order, { units: [0, 1] }), 201);
    await settle(shop);

    expect(await refundsOf(shop, order)).toMatchObject([
      { amount_minor: 2_000, tax_total_minor: 333, tax_lines: [{ tax_class: "standard" }] },
      { amount_minor: 10_500, tax_total_minor: 500, tax_lines: [{ tax_class: "books" }] },
    ]);
  });

  test("of a cancelled order has all its taxes", async () => {
    const { shop } = levied;
    const cup = await stocked(shop, "Cup", { price: "33.33" });
    const order = await sell(shop, [[cup, 3]], { shipping: { label: "Courier", amount: "7.77" } });

    must(await shop.put(`/v2/orders/${order.id}/cancel`), 200);
    await settle(shop);

    expect(taxesOf(await refundsOf(shop, order))).toEqual(taxesOf([bodyOf(order)]));
  });
});

describe("refunds in pieces", () => {
  const few = fc.integer({ min: 0, max: 2 });
  const piece = fc.oneof(
    fc.tuple(few, few).map((units) => ({ units })),
    fc.integer({ min: 1, max: 9_000 }).map((minor) => ({ amount: inMajor(minor) })),
    fc.integer({ min: 1, max: 900 }).map((minor) => ({ shipping: inMajor(minor) })),
    fc.tuple(few, few, fc.boolean()).map(([cups, novels, isRefunded]) => ({
      units: [cups, novels],
      isReturn: true,
      refund: isRefunded,
    })),
  );
  const sale = fc.record({
    isIncluded: fc.boolean(),
    fulfilled: fc.boolean(),
    prices: fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 9_999 })),
    percent: fc.integer({ min: 0, max: 90 }),
    pieces: fc.array(piece, { minLength: 1, maxLength: 5 }),
  });

  const included = sharedTaxedShop({
    rates: [vat, book],
    store: { prices_include_tax: true, shipping_tax: "as_goods" },
  });
  const onTop = sharedTaxedShop({ rates: [vat, book], store: { shipping_tax: "as_goods" } });

  test("come to the sale and to each of its taxes exactly", async () => {
    await fc.assert(
      fc.asyncProperty(sale, async ({ isIncluded, fulfilled, prices, percent, pieces }) => {
        const { shop } = isIncluded ? included : onTop;
        const cup = await stocked(shop, "Cup", { price: inMajor(prices[0]) });
        const terms = { price: inMajor(prices[1]), tax_class: "books" };
        const novel = await stocked(shop, "Novel", terms);
        const lines = [
          [cup, 3],
          [novel, 4],
        ] as const;
        const order = await sell(shop, lines, {
          shipping: { label: "Courier", amount: "9.99" },
          fulfilled,
          ...(percent > 0 && { discount: { title: "Friend", percent } }),
        });
        for (const one of pieces) {
          const { isReturn, ...asked } = { isReturn: false, ...one };
          const made = await (isReturn ? takeBack : refund)(shop, order, asked);
          expect([201, 409, 422]).toContain(made.status);
          await settle(shop);
          expect(await auditsOf(shop)).toEqual([]);
        }
        const rest = await refund(shop, order);
        expect([201, 409]).toContain(rest.status);

        const refunds = await refundsOf(shop, order);
        const sum = refunds.reduce((total, { amount_minor }) => total + amount_minor, 0);
        expect(sum).toBe(Number(order.at("/total_minor")));
        expect(nonZero(taxesOf(refunds))).toEqual(nonZero(taxesOf([bodyOf(order)])));
        expect(await auditsOf(shop)).toEqual([]);
      }),
      { numRuns: runs(8) },
    );
  });

  test("of units alone come to each line's taxes and discount", async () => {
    const { shop } = levied;
    const cup = await stocked(shop, "Cup", { price: "33.33" });
    const novel = await stocked(shop, "Novel", { price: "0.07" });
    const lines = [
      [cup, 3],
      [novel, 5],
    ] as const;
    const order = await sell(shop, lines, { discount: { title: "Friend", percent: 7 } });

    for (const units of [
      [1, 2],
      [1, 1],
      [0, 1],
      [1, 1],
    ]) {
      must(await refund(shop, order, { units }), 201);
    }

    const refunds = await refundsOf(shop, order);
    const items = refunds.flatMap(({ line_items }) => line_items);
    const sum = (amountOf: (item: (typeof items)[number]) => number) =>
      items.reduce((total, item) => total + amountOf(item), 0);
    expect({
      total: sum((item) => item.amount_minor),
      tax: sum((item) => item.tax_total_minor),
      discount: sum((item) => item.discount_total_minor),
    }).toEqual({
      total: Number(order.at("/total_minor")),
      tax: Number(order.at("/tax_total_minor")),
      discount: Number(order.at("/discount_total_minor")),
    });
    expect(taxesOf(refunds)).toEqual(taxesOf([bodyOf(order)]));
  });
});
