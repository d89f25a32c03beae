// The whole shop against its model: random lives of orders, with retries and restarts; after each step the
// shop equals the model.

import { expect } from "bun:test";

import fc from "fast-check";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditDiscounts } from "#pricing/discount-uses/audit-discounts.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { settle } from "../payments/scripted-shop.ts";
import { mug } from "../support/cast.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { type Answered, MORNING_MS, openTestShop } from "../support/shop.ts";
import type { Fault, FaultOptions, FaultReport } from "./fault.ts";
import type { World } from "./shop-command.ts";
import { commands } from "./shop-commands.ts";
import { Model, SHELF } from "./shop-model.ts";
import { both, refundsOf, shownOf } from "./shop-order.ts";
import { PriceList, type Pricing } from "./shop-prices.ts";

const COMMANDS_MAX = 32;
const PAGE = 100;

const anyPricing: fc.Arbitrary<Pricing> = fc.record({
  taxes: fc.constantFrom("on top", "included", "plain"),
  shippingTax: fc.constantFrom("standard", "as_goods", "none"),
});

export const wholeShop: Fault = {
  name: "whole-shop",
  what: "random lives of orders, payments and stock, held against a model",
  short: { rounds: 15, minutes: 1 },
  long: { rounds: 1_500, minutes: 30 },
  run,
};

async function run({ rounds, minutes, seed, progress }: FaultOptions): Promise<FaultReport> {
  let lives = 0;
  let steps = 0;
  const hold = async (model: Model, world: World) => {
    steps += 1;
    await expectSoundness(model, world);
  };
  const details = await fc.check(
    fc.asyncProperty(commands(hold, COMMANDS_MAX), anyPricing, async (taken, pricing) => {
      lives += 1;
      if (lives % 50 === 0) progress(`${lives} lives, ${steps} steps`);
      using folder = openScratchFolder();
      const shop = await openTestShop({ folder });
      const world: World = { folder, shop, sent: [], sequence: 0 };
      try {
        const goods = [
          await mug(shop, { sku: "A", stock: SHELF }),
          await mug(shop, { sku: "B", stock: SHELF }),
        ] as const;
        const model = new Model(goods, await PriceList.open(shop, goods, pricing), MORNING_MS);
        await fc.asyncModelRun(() => ({ model, real: world }), taken);
        await expectSoundBooks(world);
        await expectSales(model, world);
        await expectSalesLeft(model, world);
      } finally {
        await world.shop[Symbol.asyncDispose]();
      }
    }),
    { numRuns: rounds, seed, interruptAfterTimeLimit: minutes * 60_000 },
  );
  const message = fc.defaultReportMessage(details) ?? "";
  const broken = details.failed ? [`${message}\n${String(details.errorInstance)}`] : [];
  return { figures: { seed, lives, steps }, broken };
}

/** What holds after any step, as the interface shows it. */
async function expectSoundness(model: Model, world: World): Promise<void> {
  await settle(world.shop);
  const { shop } = world;
  const [levels, orders] = await Promise.all([
    Promise.all(both.map((which) => shop.get(`/v2/inventory/${model.goods[which].variantId}`))),
    Promise.all(model.orders.map(({ id }) => shop.get(`/v2/orders/${id}`))),
  ]);
  expect(levels.map((level) => [level.at("/on_hand"), level.at("/reserved")])).toEqual(
    both.map((which) => [model.onHand[which], model.reserved(which)]),
  );
  expect(orders.map(({ body }) => body)).toMatchObject(model.orders.map(shownOf));
  const refunds = await Promise.all(
    model.orders.map(({ id }) => shop.get(`/v2/refunds?order_id=${id}&limit=${PAGE}`)),
  );
  expect(refunds.map(shownRefunds)).toEqual(model.orders.map(refundsOf));
  await expectUses(model, world);
  await expectUnbrokenLog(world);
}

/** A discount counts the orders that have it. */
async function expectUses(model: Model, { shop }: World): Promise<void> {
  if (model.prices.isPlain) return;
  const rows = (await shop.get("/v2/discounts")).list("/data").map(Object);
  const shown = new Map(rows.map(({ id, used_count }) => [id, used_count]));
  const counted = model.prices.discounts.map((one) => [one.id, model.usesOf(one).length] as const);
  expect(shown).toEqual(new Map(counted));
}

function shownRefunds(answer: Answered): string[] {
  return answer
    .list("/data")
    .map(Object)
    .map((row) => `${row.payment_id} ${row.amount_minor} ${row.status}`)
    .toSorted();
}

/** Sequences of events have no gaps. */
async function expectUnbrokenLog(world: World): Promise<void> {
  for (;;) {
    const page = await world.shop.get(`/v2/events?after=${world.sequence}&limit=${PAGE}`);
    const sequences = page.list("/data").map((_, at) => page.number(`/data/${at}/sequence`));
    expect(sequences).toEqual(sequences.map((_, at) => world.sequence + 1 + at));
    world.sequence += sequences.length;
    if (sequences.length < PAGE) return;
  }
}

/** `duka check` passes, and an order is announced as paid and cancelled at most once. */
async function expectSoundBooks({ shop }: World): Promise<void> {
  const { read } = shop.test.database;
  for (const audit of [auditStock, auditOrders, auditPayments, auditDiscounts]) {
    expect(await Array.fromAsync(audit(read))).toEqual([]);
  }
  const once = new Set(["order.placed", "order.paid", "order.cancelled", "order.fulfilled"]);
  const announced = (await shop.events())
    .filter(({ name }) => once.has(name))
    .map(({ name, subject }) => `${name} ${subject}`);
  expect(announced.filter((one, at) => announced.indexOf(one) !== at)).toEqual([]);
}

/** `order.paid` announced what was sold then. */
async function expectSales({ orders }: Model, { shop }: World): Promise<void> {
  const paid = (await shop.events()).filter(({ name }) => name === "order.paid");
  const announced = paid.map(({ data, subject }) => `${subject} ${JSON.parse(data).total_minor}`);
  const sold = orders.filter(({ saleMinor }) => saleMinor !== null);
  expect(announced.toSorted()).toEqual(
    sold.map(({ id, saleMinor }) => `${id} ${saleMinor}`).toSorted(),
  );
}

/** The events leave of a sale what is sold, and what is still to go back of it. */
async function expectSalesLeft({ orders }: Model, { shop }: World): Promise<void> {
  const events = await shop.events();
  for (const order of orders.filter(({ saleMinor }) => saleMinor !== null)) {
    const left = leftOfSale(events.filter(({ subject }) => subject === order.id));
    const toGoBackMinor = order.refunds
      .filter(({ status }) => status === "pending" || status === "needs_attention")
      .reduce((total, { saleMinor }) => total + saleMinor, 0);
    expect(left).toBe(order.saleLeftMinor + toGoBackMinor);
  }
}

/** What was sold, less what is told to be refunded of it and to be sold no more. */
function leftOfSale(events: Awaited<ReturnType<World["shop"]["events"]>>): number {
  let soldMinor = 0;
  let refundedMinor = 0;
  for (const { name, data } of events) {
    const told = JSON.parse(data);
    if (name === "order.paid") soldMinor += told.total_minor;
    if (name === "order.refunded") refundedMinor = told.sale_refunded_total_minor;
    if (name === "refund.failed" && told.undone !== null) {
      refundedMinor = told.undone.sale_refunded_total_minor;
    }
    if (name === "order.updated") soldMinor -= told.sale_reduction?.amount_minor ?? 0;
  }
  return soldMinor - refundedMinor;
}
