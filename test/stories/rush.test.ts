// A rush: whatever is placed, changed, paid, shipped, cancelled and given back at the same moment, on a
// few orders by many hands, stock and money agree with themselves, and every fact was told once.

import { afterAll, beforeAll, expect, test } from "bun:test";

import fc from "fast-check";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { initialize, notify, openScriptedShop, pass, settle } from "../payments/scripted-shop.ts";
import { of, place } from "../sales/orders/counter.ts";
import { type Goods, kanga, mug } from "../support/cast.ts";
import { runs } from "../support/runs.ts";
import type { ScriptedGateway } from "../support/scripted-gateway.ts";
import { Answered, type TestShop } from "../support/shop.ts";

/** Rushes. */
const RUNS = runs(4);
const ORDERS = 3;
/** The gateway is asked for so long. */
const WATCHED_S = 74 * 3_600;

let shop: TestShop;
let gateway: ScriptedGateway;
let goods: readonly [Goods, Goods, Goods];

beforeAll(async () => {
  ({ shop, gateway } = await openScriptedShop());
  goods = [
    await mug(shop, { stock: 100_000 }),
    await kanga(shop, { stock: 100_000 }),
    await mug(shop, { sku: "SCARCE", stock: 40 }),
  ];
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

interface Rush {
  readonly orders: string[];
  readonly payments: string[];
  /** Answers that are never right. */
  readonly faults: string[];
  notices: number;
}

interface Hand {
  readonly act: (rush: Rush) => Promise<unknown>;
  toString(): string;
}

const which = fc.nat({ max: 5 });

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)];
}

/** A hand that does something with one of the orders, or of the payments. */
function on(kind: "orders" | "payments", name: string, act: (rush: Rush, id: string) => unknown) {
  return which.map((at): Hand => ({
    toString: () => `${name} ${at}`,
    act: async (rush) => {
      const id = pick(rush[kind], at);
      const answer = id === undefined ? null : await act(rush, id);
      if (answer instanceof Answered && answer.status >= 500) rush.faults.push(answer.text);
    },
  }));
}

function linesOf(units: readonly number[]): object[] {
  return goods.flatMap((one, at) => (units[at] === 0 ? [] : [of(one, units[at])]));
}

const units = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(1)).filter((each) => each.some((n) => n > 0));

const placing = units.map((each): Hand => ({
  toString: () => `place ${each.join(" ")}`,
  act: async ({ orders, faults }) => {
    const customer = { email: "ada@example.com" };
    const placed = await shop.post("/v2/orders", { line_items: linesOf(each), customer });
    if (placed.status === 201) orders.push(placed.id);
    if (placed.status >= 500) faults.push(placed.text);
  },
}));

const changing = units.chain((each) =>
  on("orders", `change to ${each.join(" ")}`, (_, id) =>
    shop.put(`/v2/orders/${id}`, { line_items: linesOf(each) }),
  ),
);

const methods = fc.constantFrom(
  { method: "gateway" },
  { method: "mobile_money", phone: "+233551234000" },
);
const asking = methods.chain((by) =>
  on("orders", `ask by ${by.method}`, async ({ payments }, id) => {
    const asked = await initialize(shop, { order_id: id, ...by });
    if (asked.status === 201) payments.push(asked.id);
    return asked;
  }),
);

const paying = on("payments", "pay", async (rush, id) => {
  gateway.pay(id);
  rush.notices += 1;
  await notify(shop, gateway, { payment: id, id: `${id} ${rush.notices}` });
  await settle(shop);
});
const looking = on("payments", "look", async (_, id) => {
  shop.clock.advance(10_001);
  return shop.get(`/v2/payments/${id}`);
});
const stopping = on("payments", "stop", (_, id) => shop.post(`/v2/payments/${id}/cancel`));
const returning = on("payments", "give back", (_, id) =>
  shop.post(`/v2/payments/${id}/refunds`, {}),
);
const returningPart = on("orders", "give back a part", (_, id) =>
  shop.post(`/v2/orders/${id}/refunds`, { amount: 5 }),
);
const shipping = on("orders", "ship", (_, id) => shop.put(`/v2/orders/${id}/fulfill`));
const cancelling = on("orders", "cancel", (_, id) => shop.put(`/v2/orders/${id}/cancel`));

const hand = fc.oneof(
  { weight: 1, arbitrary: placing },
  { weight: 2, arbitrary: changing },
  { weight: 4, arbitrary: asking },
  { weight: 4, arbitrary: paying },
  { weight: 1, arbitrary: looking },
  { weight: 1, arbitrary: stopping },
  { weight: 2, arbitrary: returning },
  { weight: 2, arbitrary: returningPart },
  { weight: 2, arbitrary: shipping },
  { weight: 2, arbitrary: cancelling },
);
/** Moments one after another, in each of which many hands move at once. */
const moments = fc.array(fc.array(hand, { minLength: 2, maxLength: 7 }), {
  minLength: 2,
  maxLength: 5,
});

const onceEach = ["order.placed", "order.paid", "order.cancelled", "order.fulfilled"];

/** Facts of these orders that were told more than once. */
async function toldTwice({ orders }: Rush): Promise<string[]> {
  const told = (await shop.events())
    .filter(({ name, subject }) => orders.includes(subject) && onceEach.includes(name))
    .map(({ name, subject }) => `${name} ${subject}`);
  return told.filter((one, at) => told.indexOf(one) !== at);
}

/** What the gateway sent back of payments beyond what it took for them. */
function sentTooMuch({ payments }: Rush): string[] {
  return payments.filter((id) => {
    const sent = [...gateway.refunds.values()].filter(({ attempt }) => attempt.paymentId === id);
    const taken = [...gateway.charges.values()].find(({ attempt }) => attempt.paymentId === id);
    const sentMinor = sent.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    return sentMinor > (taken?.paid?.amountMinor ?? 0);
  });
}

test("after any rush the movements explain the stock and the payments explain the money", async () => {
  const { read } = shop.test.database;
  await fc.assert(
    fc.asyncProperty(moments, async (taken) => {
      const rush: Rush = { orders: [], payments: [], faults: [], notices: 0 };
      for (let count = 0; count < ORDERS; count += 1) {
        rush.orders.push((await place(shop, [of(goods[0]), of(goods[1])])).id);
      }

      for (const hands of taken) await Promise.all(hands.map(({ act }) => act(rush)));
      await pass(shop, WATCHED_S);

      expect(rush.faults).toEqual([]);
      expect(await toldTwice(rush)).toEqual([]);
      expect(sentTooMuch(rush)).toEqual([]);
      expect(await Array.fromAsync(auditStock(read))).toEqual([]);
      expect(await Array.fromAsync(auditOrders(read))).toEqual([]);
      expect(await Array.fromAsync(auditPayments(read))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 300_000);
