// Sales of which a part was written off, and whose goods went back later: what is counted is what the customer keeps.

import { beforeEach, describe, expect, test } from "bun:test";

import { rebuildAnalytics } from "#analytics/projection/project-events.ts";
import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";

import { auditsOf, dayPasses } from "../payments/refund-counter.ts";
import {
  must,
  openTaxedShop,
  pay,
  refund,
  refundsOf,
  sell,
  sellFor,
  sharedTaxedShop,
  stocked,
  takeBack,
} from "../payments/refunds/taxed-sales.ts";
import { initialize, paidAtGateway } from "../payments/scripted-shop.ts";
import { tamper } from "../support/behind-the-shop.ts";
import type { Answered, TestShop } from "../support/shop.ts";
import { summary } from "./counter.ts";

const taxed = sharedTaxedShop({ store: { prices_include_tax: true } });
const { shop, gateway } = taxed;

let before: Figures;
beforeEach(async () => {
  before = await figuresOf(shop);
});

/** Two cups of 10.00 each with their taxes, for which 15.00 came; the other 5.00 are written off. */
async function writtenOff({ isAwaited = false, shop: at = shop } = {}): Promise<{
  readonly order: Answered;
  readonly late: string;
}> {
  const cup = await stocked(at, "Cup", { price: "10.00" });
  const order = await sellFor(at, [[cup, 2]], { amounts: ["15.00"] });
  const late = isAwaited ? (await initialize(at, { order_id: order.id, method: "cash" })).id : "";
  must(await at.post(`/v2/orders/${order.id}/write-off`, { amount: 5 }), 200);
  return { order, late };
}

/** Money comes by a payment that was begun before. */
async function confirm(id: string, amount: number): Promise<void> {
  must(await shop.post(`/v2/payments/${id}/confirm`, { amount, currency: "USD" }), 200);
}

/** The reductions of sales that the test announced. */
async function reductions(): Promise<unknown[]> {
  return (await shop.announced())
    .filter(({ event }) => event === "order.updated")
    .map(({ data }) => Object(data).sale_reduction)
    .filter((reduction) => reduction !== null);
}

async function cancel(
  order: Answered,
  terms: {
    readonly quantity?: number;
    readonly refund?: boolean | number;
    readonly shop?: TestShop;
  } = {},
): Promise<Answered> {
  const { quantity = 2, shop: at = shop, ...rest } = terms;
  const line_items = [{ line_item_id: order.string("/line_items/0/id"), quantity }];
  const headers = { "Idempotency-Key": `cancel-${Bun.randomUUIDv7()}` };
  return must(
    await at.put(`/v2/orders/${order.id}/cancel`, { line_items, ...rest }, { headers }),
    200,
  );
}

/** What is counted of the sales of the test in the end, once every refund of the order is closed; nothing is a finding. */
async function counted(order: Answered): Promise<Figures> {
  await dayPasses(shop);
  const waiting = must(
    await shop.get(`/v2/refunds?status=needs_attention&order_id=${order.id}`),
    200,
  );
  for (const [index] of waiting.list("/data").entries()) {
    must(await shop.post(`/v2/refunds/${waiting.string(`/data/${index}/id`)}/close`), 200);
  }
  const found = await figuresOf(shop);
  await rebuildAnalytics(shop.test.database);
  expect(await figuresOf(shop)).toEqual(found);
  expect(await auditsOf(shop)).toEqual([]);
  expect(await Array.fromAsync(auditAnalytics(shop.test.database.read))).toEqual([]);
  return since(found, before);
}

interface Figures {
  readonly revenue: number;
  readonly tax: number;
  readonly taxes: readonly (readonly [name: string, taxable: number, tax: number])[];
  readonly byMethod: number;
  readonly writtenOff: number;
}

/** The figures without those of before. */
function since(found: Figures, earlier: Figures): Figures {
  const taxes = new Map(earlier.taxes.map(([name, ...sums]) => [name, sums]));
  return {
    revenue: found.revenue - earlier.revenue,
    tax: found.tax - earlier.tax,
    taxes: found.taxes.map(([name, taxable, tax]) => {
      const [taxableBefore = 0, taxBefore = 0] = taxes.get(name) ?? [];
      return [name, taxable - taxableBefore, tax - taxBefore] as const;
    }),
    byMethod: found.byMethod - earlier.byMethod,
    writtenOff: found.writtenOff - earlier.writtenOff,
  };
}

async function figuresOf(of: TestShop): Promise<Figures> {
  const answer = await summary(of, "from=2026-01-01&to=2027-01-01&interval=month");
  const revenue = (name: string) => answer.number(`/currencies/0/revenue/${name}_minor`);
  const taxes = answer
    .list("/currencies/0/taxes")
    .map(Object)
    .map(
      (row) =>
        [
          String(row.name),
          row.taxable_minor - row.refunded_taxable_minor,
          row.tax_minor - row.refunded_minor,
        ] as const,
    );
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

const nothing: Figures = {
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
const one: Figures = {
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
    const { order } = await writtenOff();

    await cancel(order);

    expect(await counted(order)).toEqual(nothing);
  });

  test("once all of it came back", async () => {
    const { order } = await writtenOff();
    must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);

    must(await takeBack(shop, order, { units: [2] }), 201);

    expect(await counted(order)).toEqual(nothing);
  });

  test("once its money is refunded with all units", async () => {
    const { order } = await writtenOff();

    must(await refund(shop, order), 201);

    expect(await counted(order)).toEqual(nothing);
  });

  test("once its money is refunded before the units are cancelled", async () => {
    const { order } = await writtenOff();

    must(await refund(shop, order, { amount: "7.77" }), 201);
    must(await refund(shop, order, { amount: "7.23" }), 201);
    await cancel(order);

    expect(await counted(order)).toEqual(nothing);
  });

  test("once its units are cancelled one by one", async () => {
    const { order } = await writtenOff();

    await cancel(order, { quantity: 1 });
    await cancel(order, { quantity: 1 });

    expect(await counted(order)).toEqual(nothing);
  });

  test("once it is cancelled after late money took a part of the write-off back", async () => {
    const { order, late } = await writtenOff({ isAwaited: true });

    await confirm(late, 3);
    await cancel(order);

    expect(await counted(order)).toEqual(nothing);
  });

  test("once the rest of it comes back, where the write-off came with a return", async () => {
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sellFor(shop, [[cup, 2]], { amounts: ["5.00"] });
    must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);
    must(await takeBack(shop, order, { units: [1], write_off: true }), 201);
    expect(await counted(order)).toEqual({ ...one, writtenOff: 500 });

    must(await takeBack(shop, order, { units: [1] }), 201);

    expect(await counted(order)).toEqual(nothing);
  });

  test("once it is cancelled, where it was edited after it was written off", async () => {
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sellFor(shop, [[cup, 3]], { amounts: [] });
    must(await shop.post(`/v2/orders/${order.id}/write-off`, { amount: 5 }), 200);
    const line_items = [{ variant_id: cup, quantity: 2 }];
    must(await shop.put(`/v2/orders/${order.id}`, { line_items }), 200);
    await pay(shop, order, "15.00");
    expect(await counted(order)).toMatchObject({ revenue: 2_000, tax: 334, writtenOff: 500 });

    await cancel(order);

    expect(await counted(order)).toEqual(nothing);
  });
});

test("of a sale whose payment was corrected to less, nothing is left once it is cancelled", async () => {
  const cup = await stocked(shop, "Cup", { price: "10.00" });
  const order = await sellFor(shop, [[cup, 2]], { amounts: ["20.00"] });
  const payments = must(await shop.get(`/v2/payments?order_id=${order.id}`), 200);
  const path = `/v2/payments/${payments.string("/data/0/id")}/correct`;
  must(await shop.post(path, { amount: "15.00" }), 200);
  expect(await counted(order)).toMatchObject({ revenue: 2_000, tax: 334 });

  await cancel(order);

  expect(await counted(order)).toEqual(nothing);
});

describe("of a sale of which a part was written off is left", () => {
  test("what is not cancelled", async () => {
    const { order } = await writtenOff();

    await cancel(order, { quantity: 1 });

    expect(await counted(order)).toEqual(one);
  });

  test("the unit whose money was not named in a refund, with all that was written off", async () => {
    const { order } = await writtenOff();

    must(await refund(shop, order, { units: [1] }), 201);

    expect(await counted(order)).toEqual({ ...one, writtenOff: 500 });
  });

  test("the money that is kept of a cancelled order", async () => {
    const { order } = await writtenOff();

    await cancel(order, { refund: 5 });

    expect(await counted(order)).toEqual(one);
  });

  test("all of it where late money took the write-off back", async () => {
    const { order, late } = await writtenOff({ isAwaited: true });

    await confirm(late, 5);

    expect(await counted(order)).toMatchObject({ revenue: 2_000, tax: 334, writtenOff: 0 });
    expect(await reductions()).toEqual([]);
  });

  test("what was written off, where the refund of one unit failed and an amount was refunded in its place", async () => {
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sell(shop, [[cup, 2]], { paid: undefined });
    const { id } = await initialize(shop, { order_id: order.id, amount: 15 });
    await paidAtGateway(taxed, id);
    must(await shop.post(`/v2/orders/${order.id}/write-off`, { amount: 5 }), 200);
    gateway.nextRefund = { kind: "failed", gatewayCode: "closed", gatewayRefundId: null };

    const failed = must(await refund(shop, order, { units: [1] }), 201);
    must(await shop.post(`/v2/refunds/${failed.string("/refunds/0/id")}/cancel`), 200);
    must(await refund(shop, order, { amount: "5.00" }), 201);

    expect(await counted(order)).toMatchObject({ revenue: 1_500, tax: 250, writtenOff: 500 });
  });
});

describe("what goods take back of a write-off", () => {
  test("is told with its taxes, as the event of the change that took it back", async () => {
    const { order } = await writtenOff();

    await cancel(order);

    expect(await reductions()).toEqual([
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
    const { order } = await writtenOff();

    await cancel(order);
    await dayPasses(shop);

    expect(await refundsOf(shop, order)).toMatchObject([
      { amount_minor: 1_500, included_tax_total_minor: 250 },
    ]);
  });

  test("is missed by the audit where an order has another sale than its events tell", async () => {
    await using own = await openTaxedShop({ store: { prices_include_tax: true } });
    const { order } = await writtenOff({ shop: own });
    await cancel(order, { quantity: 1, shop: own });
    await dayPasses(own);

    await tamper(own.folder.path, "UPDATE orders SET sale_total_minor = 1900");

    expect(await auditsOf(own)).toContainEqual({
      subject: order.id,
      what: "sale_total_minor",
      expected: 1_500,
      found: 1_900,
    });
  });

  test("is no news of an order that was not paid", async () => {
    const cup = await stocked(shop, "Cup", { price: "10.00" });
    const order = await sellFor(shop, [[cup, 2]], { amounts: ["5.00"] });
    must(await shop.post(`/v2/orders/${order.id}/write-off`, { amount: 5 }), 200);

    await cancel(order);

    expect(await reductions()).toEqual([]);
    expect(await counted(order)).toMatchObject({ revenue: 0, tax: 0, writtenOff: 0 });
  });
});
