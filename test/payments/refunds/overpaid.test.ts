// Refunds of orders for which more was paid than was owed: units and shipping that are named go back of the sale, and
// an amount gives back first what was paid too much.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { runs } from "../../support/runs.ts";
import type { Answered } from "../../support/shop.ts";
import { auditsOf } from "../refund-counter.ts";
import { initialize, paidAtGateway, settle } from "../scripted-shop.ts";
import {
  bodyOf,
  inMajor,
  must,
  nonZero,
  pay,
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

const taxed = sharedTaxedShop({ rates: [vat], store: { shipping_tax: "standard" } });
const { shop, gateway } = taxed;

function sumOf(refunds: Awaited<ReturnType<typeof refundsOf>>): number {
  return refunds.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
}

interface Overpaid {
  readonly amounts?: readonly string[];
  readonly isShipped?: boolean;
}

/** Two cups of 120.00 each, for which 290.00 were paid. */
async function sellTwo({
  amounts = ["290.00"],
  isShipped = true,
}: Overpaid = {}): Promise<Answered> {
  const cup = await stocked(shop, "Cup", { price: "100.00" });
  const order = await sellFor(shop, [[cup, 2]], { amounts });
  if (isShipped) must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);
  return order;
}

/** What was refunded of the sale, as each event of a refund of the order said, in their order. */
async function saleRefunded(order: Answered): Promise<number[]> {
  const log = await shop.get("/v2/events?event=order.refunded&limit=100");
  return must(log, 200)
    .list("/data")
    .map((_, index) => `/data/${index}/data`)
    .filter((at) => log.at(`${at}/order_id`) === order.id)
    .map((at) => Number(log.at(`${at}/sale_refunded_total_minor`)));
}

describe("of an order for which too much was paid, a refund", () => {
  test("of units has all of their taxes, and is of the sale", async () => {
    const order = await sellTwo();

    const made = must(await refund(shop, order, { units: [1] }), 201);

    expect(made.at("/refunds/0")).toMatchObject({
      amount: 120,
      tax_total: 20,
      tax_lines: [{ taxable: 100, amount: 20 }],
      line_items: [{ amount: 120, tax_total: 20 }],
    });
    expect(await saleRefunded(order)).toEqual([12_000]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of shipping has its tax, and is of the sale", async () => {
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const shipping = { label: "Courier", amount: "5.00" };
    const order = await sellFor(shop, [[cup, 1]], { amounts: ["127.00"], shipping });

    const made = must(await refund(shop, order, { shipping: "1.20" }), 201);

    expect(made.at("/refunds/0")).toMatchObject({ shipping_total: 1.2, tax_total: 0.2 });
    expect(await saleRefunded(order)).toEqual([120]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of shipping leaves what was paid too much, which goes back by amount without taxes", async () => {
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const shipping = { label: "Courier", amount: "5.00" };
    const order = await sellFor(shop, [[cup, 1]], { amounts: ["130.00"], shipping });

    must(await refund(shop, order, { shipping: "1.20" }), 201);
    must(await refund(shop, order, { amount: "4.00" }), 201);
    must(await refund(shop, order), 201);

    const refunds = await refundsOf(shop, order);
    expect(refunds.map((one) => one.tax_total_minor)).toEqual([20, 0, 2_080]);
    expect(taxesOf(refunds)).toEqual(taxesOf([bodyOf(order)]));
    expect(await saleRefunded(order)).toEqual([120, 120, 12_600]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of shipping that failed has its tax once it is made again", async () => {
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const shipping = { label: "Courier", amount: "5.00" };
    const order = await sell(shop, [[cup, 1]], { paid: undefined, shipping });
    const byHand = await initialize(shop, { order_id: order.id, method: "bank_transfer" });
    const atGateway = await initialize(shop, { order_id: order.id });
    await paidAtGateway(taxed, atGateway.id);
    const more = { amount: "50.00", currency: "USD" };
    must(await shop.post(`/v2/payments/${byHand.id}/confirm`, more), 200);
    gateway.nextRefund = { kind: "failed", gatewayCode: "closed", gatewayRefundId: null };

    const failed = must(await refund(shop, order, { shipping: "1.20" }), 201);
    const again = await shop.post(`/v2/refunds/${failed.string("/refunds/0/id")}/retry`);

    expect(failed.at("/refunds/0")).toMatchObject({ status: "failed", tax_total: 0.2 });
    expect(must(again, 200).body).toMatchObject({ status: "succeeded", tax_total: 0.2 });
    expect(await saleRefunded(order)).toEqual([120]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of units that did not ship leaves what was paid too much", async () => {
    const order = await sellTwo({ isShipped: false });

    must(await refund(shop, order, { units: [1] }), 201);
    await settle(shop);

    expect(await refundsOf(shop, order)).toMatchObject([
      { amount_minor: 12_000, tax_total_minor: 2_000 },
    ]);
    expect((await shop.get(`/v2/orders/${order.id}`)).at("/payment_status")).toBe("overpaid");
  });

  test("of units after one by amount has their taxes beside those that went back with it", async () => {
    const order = await sellTwo();

    must(await refund(shop, order, { amount: "62.00" }), 201);
    must(await refund(shop, order, { units: [1] }), 201);
    must(await refund(shop, order), 201);

    const refunds = await refundsOf(shop, order);
    expect(refunds.map((one) => one.tax_total_minor)).toEqual([200, 2_000, 1_800]);
    expect(await saleRefunded(order)).toEqual([1_200, 13_200, 24_000]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of units for a larger amount has no taxes of what is beyond them", async () => {
    const order = await sellTwo();

    const made = must(await refund(shop, order, { units: [1], amount: "150.00" }), 201);

    expect(made.at("/refunds/0")).toMatchObject({ amount: 150, tax_total: 20 });
    expect(await saleRefunded(order)).toEqual([12_000]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of units from several payments shares their taxes", async () => {
    const order = await sellTwo({ amounts: ["230.00", "60.00"] });

    const made = must(await refund(shop, order, { units: [1] }), 201);

    expect(made.at("/refunds")).toMatchObject([
      { amount_minor: 6_000, tax_total_minor: 1_000 },
      { amount_minor: 6_000, tax_total_minor: 1_000 },
    ]);
    expect((await saleRefunded(order)).at(-1)).toBe(12_000);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of units before the order is paid is not of the sale that comes of the rest", async () => {
    const cup = await stocked(shop, "Cup", { price: "100.00" });
    const order = await sellFor(shop, [[cup, 2]], { amounts: ["130.00"] });
    const made = must(await refund(shop, order, { units: [1] }), 201);

    await pay(shop, order, "110.00");
    must(await refund(shop, order), 201);

    expect(made.at("/refunds/0/tax_total")).toBe(0);
    expect((await refundsOf(shop, order)).map((one) => one.tax_total_minor)).toEqual([
      0, 1_833, 167,
    ]);
    expect(await saleRefunded(order)).toEqual([0, 11_000, 12_000]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("after units came back for nothing has what was left of the taxes", async () => {
    const order = await sellTwo();
    must(await refund(shop, order, { amount: "240.00" }), 201);
    must(await takeBack(shop, order, { units: [2], refund: false }), 201);

    must(await refund(shop, order), 201);

    expect(taxesOf(await refundsOf(shop, order))).toEqual(taxesOf([bodyOf(order)]));
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of what was paid too much is not of the sale, though money for units is kept", async () => {
    const order = await sellTwo();
    must(await refund(shop, order, { amount: "20.00" }), 201);
    must(await takeBack(shop, order, { units: [1], refund: false }), 201);

    await settle(shop);
    const waiting = must(
      await shop.get(`/v2/refunds?status=needs_attention&order_id=${order.id}`),
      200,
    );
    must(await shop.post(`/v2/refunds/${waiting.string("/data/0/id")}/close`), 200);
    must(await refund(shop, order, { amount: "12.00" }), 201);

    expect(await refundsOf(shop, order)).toMatchObject([
      { amount_minor: 2_000, tax_total_minor: 0 },
      { amount_minor: 3_000, tax_total_minor: 0 },
      { amount_minor: 1_200, tax_total_minor: 200 },
    ]);
    expect(await saleRefunded(order)).toEqual([0, 0, 1_200]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("that a return makes gives back what was paid too much with the units", async () => {
    const order = await sellTwo();

    must(await takeBack(shop, order, { units: [1] }), 201);
    await settle(shop);

    expect(await refundsOf(shop, order)).toMatchObject([
      { amount_minor: 17_000, tax_total_minor: 2_000 },
    ]);
    expect(await auditsOf(shop)).toEqual([]);
  });
});

/** Cups of 100.00 each without taxes, for which 220.00 were paid. */
async function sellUntaxed(quantity = 2): Promise<Answered> {
  const cup = await stocked(shop, "Cup", { price: "100.00", tax_class: "exempt" });
  const order = await sellFor(shop, [[cup, quantity]], { amounts: ["220.00"] });
  must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);
  return order;
}

describe("an amount that goes back with a return", () => {
  test("is all that goes back: 90.00 of 220.00 paid for two cups of 100.00 keep 30.00", async () => {
    const order = await sellUntaxed();

    const made = must(await takeBack(shop, order, { units: [1], refund: "90.00" }), 201);

    expect(await refundsOf(shop, order)).toMatchObject([{ amount_minor: 9_000 }]);
    expect(made.body).toMatchObject({
      refund: 70,
      order: { payment_status: "paid", refunding_total: 90, kept_total: 30 },
    });
    await settle(shop);
    expect(await refundsOf(shop, order)).toHaveLength(1);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("below what was paid too much leaves the rest of that overpaid, and keeps the units' money", async () => {
    const order = await sellUntaxed();

    const made = must(await takeBack(shop, order, { units: [1], refund: "5.00" }), 201);
    await settle(shop);

    expect(made.body).toMatchObject({
      refund: 0,
      order: { payment_status: "overpaid", refunding_total: 5, kept_total: 100 },
    });
    expect(await refundsOf(shop, order)).toMatchObject([{ amount_minor: 500, tax_total_minor: 0 }]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of zero gives nothing back", async () => {
    const order = await sellUntaxed();

    must(await takeBack(shop, order, { units: [1], refund: 0 }), 201);
    await settle(shop);

    expect(await refundsOf(shop, order)).toEqual([]);
  });

  test("is at most what was paid too much and for the units", async () => {
    const order = await sellUntaxed();

    const refused = await takeBack(shop, order, { units: [1], refund: "120.01" });
    expect([refused.status, refused.faults]).toEqual([422, ["#/refund more_than_paid"]]);
    expect(refused.string("/errors/0/detail")).toBe("Only 120.00 USD can go back.");

    const made = must(await takeBack(shop, order, { units: [1], refund: "120.00" }), 201);
    expect(made.at("/order")).toMatchObject({ refunding_total: 120, kept_total: 0 });
  });

  test("sends a refund again that failed of what was paid too much, as a part of it", async () => {
    const cup = await stocked(shop, "Cup", { price: "100.00", tax_class: "exempt" });
    const order = await sell(shop, [[cup, 2]], { paid: undefined });
    const atGateway = await initialize(shop, { order_id: order.id });
    await pay(shop, order, "200.00");
    gateway.nextRefund = { kind: "failed", gatewayCode: "closed", gatewayRefundId: null };
    await paidAtGateway(taxed, atGateway.id);
    await settle(shop);
    must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);
    expect(await refundsOf(shop, order)).toMatchObject([
      { status: "failed", amount_minor: 20_000 },
    ]);

    const made = await takeBack(shop, order, { units: [1], refund: "250.00" });
    await settle(shop);

    expect(must(made, 201).at("/order")).toMatchObject({ refunding_total: 250, kept_total: 50 });
    expect(await refundsOf(shop, order)).toMatchObject([
      { status: "succeeded", amount_minor: 20_000 },
      { amount_minor: 5_000 },
    ]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("cancels a refund that failed of more than stays overpaid: tried again, it would give kept money back", async () => {
    const cup = await stocked(shop, "Cup", { price: "100.00", tax_class: "exempt" });
    const order = await sell(shop, [[cup, 2]], { paid: undefined });
    const atGateway = await initialize(shop, { order_id: order.id });
    await pay(shop, order, "20.00");
    gateway.nextRefund = { kind: "failed", gatewayCode: "closed", gatewayRefundId: null };
    await paidAtGateway(taxed, atGateway.id);
    await settle(shop);
    must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);
    const failed = must(await shop.get(`/v2/refunds?status=failed&order_id=${order.id}`), 200);

    must(await takeBack(shop, order, { units: [1], refund: "5.00" }), 201);
    await settle(shop);
    const again = await shop.post(`/v2/refunds/${failed.string("/data/0/id")}/retry`);

    expect([again.status, again.at("/code")]).toEqual([409, "invalid_transition"]);
    expect(await refundsOf(shop, order)).toMatchObject([
      { status: "cancelled", amount_minor: 2_000 },
      { status: "succeeded", amount_minor: 500 },
    ]);
    expect((await shop.get(`/v2/orders/${order.id}`)).at("/payment_status")).toBe("overpaid");
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("leaves a refund that failed for other units as it is", async () => {
    const cup = await stocked(shop, "Cup", { price: "100.00", tax_class: "exempt" });
    const order = await sell(shop, [[cup, 2]], { paid: undefined });
    const { id } = await initialize(shop, { order_id: order.id });
    await paidAtGateway(taxed, id);
    must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);
    gateway.nextRefund = { kind: "failed", gatewayCode: "closed", gatewayRefundId: null };
    must(await takeBack(shop, order, { units: [1] }), 201);
    await settle(shop);

    must(await takeBack(shop, order, { units: [1], refund: "100.00" }), 201);
    await settle(shop);

    expect(await refundsOf(shop, order)).toMatchObject([
      { status: "failed", amount_minor: 10_000 },
      { status: "succeeded", amount_minor: 10_000 },
    ]);
    expect(await auditsOf(shop)).toEqual([]);
  });
});

describe("an amount that goes back with a cancellation", () => {
  test("gives back what was paid too much first", async () => {
    const cup = await stocked(shop, "Cup", { price: "100.00", tax_class: "exempt" });
    const order = await sellFor(shop, [[cup, 2]], { amounts: ["220.00"] });

    const made = await shop.put(`/v2/orders/${order.id}/cancel`, { refund: "90.00" });
    await settle(shop);

    expect(must(made, 200).body).toMatchObject({ refunding_total: 90, kept_total: 130 });
    expect(await refundsOf(shop, order)).toMatchObject([{ amount_minor: 9_000 }]);
    expect(await auditsOf(shop)).toEqual([]);
  });
});

describe("refunds in pieces of an order for which too much was paid", () => {
  const few = fc.integer({ min: 0, max: 2 });
  const money = (most: number) => fc.integer({ min: 1, max: most }).map(inMajor);
  const piece = fc.oneof(
    fc.tuple(few, few).map((units) => ({ units })),
    fc.tuple(few, few, money(30_000)).map(([cups, novels, amount]) => ({
      units: [cups, novels],
      amount,
    })),
    money(30_000).map((amount) => ({ amount })),
    money(600).map((shipping) => ({ shipping })),
    fc
      .tuple(few, few, fc.oneof(fc.boolean(), money(30_000)))
      .map(([cups, novels, back]) => ({ units: [cups, novels], isReturn: true, refund: back })),
  );
  const sale = fc.record({
    isShipped: fc.boolean(),
    isIncluded: fc.boolean(),
    prices: fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 9_999 })),
    surplusMinor: fc.integer({ min: 1, max: 30_000 }),
    pieces: fc.array(piece, { minLength: 1, maxLength: 5 }),
  });

  const rates = [vat, book];
  const included = sharedTaxedShop({
    rates,
    store: { prices_include_tax: true, shipping_tax: "standard" },
  });
  const onTop = sharedTaxedShop({ rates, store: { shipping_tax: "standard" } });

  test("come to what was paid, and to each tax of the sale exactly", async () => {
    await fc.assert(
      fc.asyncProperty(sale, async ({ isShipped, isIncluded, prices, surplusMinor, pieces }) => {
        const { shop: sold } = isIncluded ? included : onTop;
        const cup = await stocked(sold, "Cup", { price: inMajor(prices[0]) });
        const terms = { price: inMajor(prices[1]), tax_class: "books" };
        const novel = await stocked(sold, "Novel", terms);
        const lines = [
          [cup, 2],
          [novel, 3],
        ] as const;
        const shipping = { label: "Courier", amount: "5.00" };
        const order = await sellFor(sold, lines, { amounts: [], shipping });
        const totalMinor = Number(order.at("/total_minor"));
        await pay(sold, order, "3.00");
        await pay(sold, order, inMajor(totalMinor - 300 + surplusMinor));
        if (isShipped) must(await sold.put(`/v2/orders/${order.id}/fulfill`), 200);

        for (const one of pieces) {
          const { isReturn, ...asked } = { isReturn: false, ...one };
          const formerMinor = sumOf(await refundsOf(sold, order));
          const made = await (isReturn ? takeBack : refund)(sold, order, asked);
          expect([201, 409, 422]).toContain(made.status);
          await settle(sold);
          if (made.status === 201 && "refund" in one && typeof one.refund === "string") {
            const backMinor = sumOf(await refundsOf(sold, order)) - formerMinor;
            expect(inMajor(backMinor)).toBe(one.refund);
          }
          expect(await auditsOf(sold)).toEqual([]);
        }
        expect([201, 409]).toContain((await refund(sold, order)).status);

        const refunds = await refundsOf(sold, order);
        expect(sumOf(refunds)).toBe(totalMinor + surplusMinor);
        expect(nonZero(taxesOf(refunds))).toEqual(nonZero(taxesOf([bodyOf(order)])));
        expect(await auditsOf(sold)).toEqual([]);
      }),
      { numRuns: runs(8) },
    );
  });
});
