// Sales of which a part was written off, and whose goods went back later: what is counted is what the customer keeps.

import { describe, expect, test } from "bun:test";

import { auditAnalytics } from "#analytics/projection/audit-analytics.ts";
import { rebuildAnalytics } from "#analytics/projection/rebuild-analytics.ts";

import { auditsOf, dayPasses } from "../payments/refund-counter.ts";
import {
  must,
  openTaxedShop,
  pay,
  refund,
  refundsOf,
  sell,
  sellFor,
  stocked,
  takeBack,
  tax,
} from "../payments/refunds/taxed-sales.ts";
import { initialize, pass } from "../payments/scripted-shop.ts";
import { tamper } from "../support/behind-the-shop.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { summary } from "./counter.ts";

/** Two cups of 10.00 each with their taxes, for which 15.00 came; the other 5.00 are written off. */
async function openWithSale({ isAwaited = false } = {}): Promise<{
  readonly shop: TestShop;
  readonly order: Answered;
  readonly late: string;
}> {
  const shop = await openInclusiveShop();
  const cup = await stocked(shop, "Cup", { price: "10.00" });
  const order = await sellFor(shop, [[cup, 2]], { amounts: ["15.00"] });
  const late = isAwaited ? (await initialize(shop, { order_id: order.id, method: "cash" })).id : "";
  must(await shop.post(`/v2/orders/${order.id}/write-off`, { amount: 5 }), 200);
  return { shop, order, late };
}

function openInclusiveShop(): Promise<TestShop> {
  return openTaxedShop({ store: { prices_include_tax: true } });
}

/** Money comes by a payment that was begun before. */
async function confirm(shop: TestShop, id: string, amount: number): Promise<void> {
  must(await shop.post(`/v2/payments/${id}/confirm`, { amount, currency: "USD" }), 200);
}

/** The reductions of sales that were announced. */
async function reductions(shop: TestShop): Promise<unknown[]> {
  const log = must(await shop.get("/v2/events?event=order.updated&limit=100"), 200);
  return log
    .list("/data")
    .map((event) => Object(event).data.sale_reduction)
    .filter((reduction) => reduction !== null);
}

async function cancel(
  shop: TestShop,
  order: Answered,
  terms: { readonly quantity?: number; readonly refund?: boolean | number } = {},
): Promise<Answered> {
  const { quantity = 2, ...rest } = terms;
  const line_items = [{ line_item_id: order.string("/line_items/0/id"), quantity }];
  const headers = { "Idempotency-Key": `cancel-${Bun.randomUUIDv7()}` };
  return must(
    await shop.put(`/v2/orders/${order.id}/cancel`, { line_items, ...rest }, { headers }),
    200,
  );
}

/** What is counted of all sales in the end, once every refund is closed; nothing is a finding. */
async function counted(shop: TestShop): Promise<object> {
  await dayPasses(shop);
  const waiting = must(await shop.get("/v2/refunds?status=needs_attention"), 200);
  for (const [index] of waiting.list("/data").entries()) {
    must(await shop.post(`/v2/refunds/${waiting.string(`/data/${index}/id`)}/close`), 200);
  }
  const found = await figuresOf(shop);
  await rebuildAnalytics(shop.test.database);
  expect(await figuresOf(shop)).toEqual(found);
  expect(await auditsOf(shop)).toEqual([]);
  expect(await Array.fromAsync(auditAnalytics(shop.test.database.read))).toEqual([]);
  return found;
}

async function figuresOf(shop: TestShop): Promise<object> {
  const answer = await summary(shop);
  const revenue = (name: string) => answer.number(`/currencies/0/revenue/${name}_minor`);
  const taxes = answer
    .list("/currencies/0/taxes")
    .map(Object)
    .map((one) => [
      one.name,
      one.taxable_minor - one.refunded_taxable_minor,
      one.tax_minor - one.refunded_minor,
    ]);
  return {
    revenue: revenue("total"),
    tax: revenue("included_tax") - revenue("refunded_tax"),
    taxes,
    byMethod: answer
      .list("/currencies/0/by_payment_method")
      .map(Object)
      .reduce((sum, method) => sum + method.net_minor, 0),
    writtenOff: revenue("written_off"),
  };
}

const nothing = {
  revenue: 0,
  tax: 0,
  taxes: [
    ["GETFund", 0, 0],
    ["NHIL", 0, 0],
    ["VAT", 0, 0],
  ],
  byMethod: 0,
  writtenOff: 0,
};
/** One cup, or what is kept of the money for one. */
const one = {
  revenue: 1_000,
  tax: 167,
  taxes: [
    ["GETFund", 1_000, 21],
    ["NHIL", 1_000, 21],
    ["VAT", 1_000, 125],
  ],
  byMethod: 1_000,
  writtenOff: 0,
};

describe("of a sale of which a part was written off, nothing is left", () => {
  test("once all of it is cancelled", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;

    await cancel(shop, order);

    expect(await counted(shop)).toEqual(nothing);
  });

  test("once all of it came back", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;
    must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);

    must(await takeBack(shop, order, { units: [2] }), 201);

    expect(await counted(shop)).toEqual(nothing);
  });

  test("once its money is refunded with all units", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;

    must(await refund(shop, order), 201);

    expect(await counted(shop)).toEqual(nothing);
  });

  test("once its money is refunded before the units are cancelled", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;

    must(await refund(shop, order, { amount: "7.77" }), 201);
    must(await refund(shop, order, { amount: "7.23" }), 201);
    await cancel(shop, order);

    expect(await counted(shop)).toEqual(nothing);
  });

  test("once its units are cancelled one by one", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;

    await cancel(shop, order, { quantity: 1 });
    await cancel(shop, order, { quantity: 1 });

    expect(await counted(shop)).toEqual(nothing);
  });

  test("once it is cancelled after late money took a part of the write-off back", async () => {
    const { shop, order, late } = await openWithSale({ isAwaited: true });
    await using _ = shop;

    await confirm(shop, late, 3);
    await cancel(shop, order);

    expect(await counted(shop)).toEqual(nothing);
  });

  test("once the rest of it comes back, where the write-off came with a return", async () => {
    await using shop = await openInclusiveShop();
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sellFor(shop, [[cup, 2]], { amounts: ["5.00"] });
    must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);
    must(await takeBack(shop, order, { units: [1], write_off: true }), 201);
    expect(await counted(shop)).toEqual({ ...one, writtenOff: 500 });

    must(await takeBack(shop, order, { units: [1] }), 201);

    expect(await counted(shop)).toEqual(nothing);
  });

  test("once it is cancelled, where it was edited after it was written off", async () => {
    await using shop = await openInclusiveShop();
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sellFor(shop, [[cup, 3]], { amounts: [] });
    must(await shop.post(`/v2/orders/${order.id}/write-off`, { amount: 5 }), 200);
    const line_items = [{ variant_id: cup, quantity: 2 }];
    must(await shop.put(`/v2/orders/${order.id}`, { line_items }), 200);
    await pay(shop, order, "15.00");
    expect(await counted(shop)).toMatchObject({ revenue: 2_000, tax: 334, writtenOff: 500 });

    await cancel(shop, order);

    expect(await counted(shop)).toEqual(nothing);
  });
});

test("of a sale whose payment was corrected to less, nothing is left once it is cancelled", async () => {
  await using shop = await openInclusiveShop();
  const cup = await stocked(shop, "Cup", { price: "10.00" });
  const order = await sellFor(shop, [[cup, 2]], { amounts: ["20.00"] });
  const payments = must(await shop.get(`/v2/payments?order_id=${order.id}`), 200);
  const path = `/v2/payments/${payments.string("/data/0/id")}/correct`;
  must(await shop.post(path, { amount: "15.00" }), 200);
  expect(await counted(shop)).toMatchObject({ revenue: 2_000, tax: 334 });

  await cancel(shop, order);

  expect(await counted(shop)).toEqual(nothing);
});

describe("of a sale of which a part was written off is left", () => {
  test("what is not cancelled", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;

    await cancel(shop, order, { quantity: 1 });

    expect(await counted(shop)).toEqual(one);
  });

  test("the unit whose money was not named in a refund, with all that was written off", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;

    must(await refund(shop, order, { units: [1] }), 201);

    expect(await counted(shop)).toEqual({ ...one, writtenOff: 500 });
  });

  test("the money that is kept of a cancelled order", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;

    await cancel(shop, order, { refund: 5 });

    expect(await counted(shop)).toEqual(one);
  });

  test("all of it where late money took the write-off back", async () => {
    const { shop, late } = await openWithSale({ isAwaited: true });
    await using _ = shop;

    await confirm(shop, late, 5);

    expect(await counted(shop)).toMatchObject({ revenue: 2_000, tax: 334, writtenOff: 0 });
    expect(await reductions(shop)).toEqual([]);
  });

  test("the other unit, where the refund of one failed and was made by amount", async () => {
    const gateway = new ScriptedGateway();
    await using shop = await openTestShop({ gateways: [gateway] });
    await tax(shop, { store: { prices_include_tax: true } });
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sell(shop, [[cup, 2]], { paid: undefined });
    const { id } = await initialize(shop, { order_id: order.id, amount: 15 });
    gateway.pay(id);
    await pass(shop, 15);
    must(await shop.post(`/v2/orders/${order.id}/write-off`, { amount: 5 }), 200);
    gateway.nextRefund = { kind: "failed", gatewayCode: "closed", gatewayRefundId: null };

    const failed = must(await refund(shop, order, { units: [1] }), 201);
    must(await shop.post(`/v2/refunds/${failed.string("/refunds/0/id")}/cancel`), 200);
    must(await refund(shop, order, { amount: "5.00" }), 201);

    expect(await counted(shop)).toEqual(one);
  });
});

describe("what goods take back of a write-off", () => {
  test("is told with its taxes, as the event of the change that took it back", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;

    await cancel(shop, order);

    expect(await reductions(shop)).toEqual([
      {
        amount: 5,
        amount_minor: 500,
        tax_lines: [
          expect.objectContaining({ name: "GETFund", taxable: 5, amount: 0.11 }),
          expect.objectContaining({ name: "NHIL", taxable: 5, amount: 0.1 }),
          expect.objectContaining({ name: "VAT", taxable: 5, amount: 0.63 }),
        ],
      },
    ]);
  });

  test("leaves the taxes of the rest to the refund", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;

    await cancel(shop, order);
    await dayPasses(shop);

    expect(await refundsOf(shop, order)).toMatchObject([
      { amount_minor: 1_500, included_tax_total_minor: 250 },
    ]);
  });

  test("is missed by the audit where an order has another sale than its events tell", async () => {
    const { shop, order } = await openWithSale();
    await using _ = shop;
    await cancel(shop, order, { quantity: 1 });
    await dayPasses(shop);

    await tamper(shop.folder.path, "UPDATE orders SET sale_total_minor = 1900");

    expect(await auditsOf(shop)).toContainEqual({
      subject: order.id,
      what: "sale_total_minor",
      expected: 1_500,
      found: 1_900,
    });
  });

  test("is no news of an order that was not paid", async () => {
    await using shop = await openInclusiveShop();
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sellFor(shop, [[cup, 2]], { amounts: ["5.00"] });
    must(await shop.post(`/v2/orders/${order.id}/write-off`, { amount: 5 }), 200);

    await cancel(shop, order);

    expect(await reductions(shop)).toEqual([]);
    expect(await counted(shop)).toMatchObject({ revenue: 0, tax: 0, writtenOff: 0 });
  });
});
