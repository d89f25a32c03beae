// The fault `gateway-down`: a gateway does not answer for an hour while payments are open at it. The customers paid;
// no notice comes. A round is one payment.

import { initialize, openScriptedShop, orderCounter, pass } from "../payments/scripted-shop.ts";
import type { TestShop } from "../support/shop.ts";
import type { Fault, FaultOptions, FaultReport } from "./fault.ts";

const MINUTE = 60;
const MINUTES_DOWN = 60;
/** By then every payment is settled. */
const MINUTES_AFTERWARDS = 10;
/** Orders that nobody pays, which end while the gateway is down. */
const ORDERS = 10;
const EXPIRY_MINUTES = 30;
/** A vendor's limit for one key; while it is down, the shop calls it from few timers at once. */
const CALLS_PER_MINUTE_MAX = 600;

export const gatewayDown: Fault = {
  name: "gateway-down",
  what: "a gateway does not answer for an hour while payments are open at it",
  short: { rounds: 40, minutes: 1 },
  long: { rounds: 500, minutes: 10 },
  run,
};

async function run({ rounds, progress }: FaultOptions): Promise<FaultReport> {
  const { shop: opened, gateway } = await openScriptedShop();
  await using shop = opened;
  await shop.put("/v2/store", { order_expiry_minutes: EXPIRY_MINUTES });
  const payments: string[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const { id } = await initialize(shop, { amount: 5, currency: "USD" });
    gateway.pay(id);
    payments.push(id);
  }
  const order = await orderCounter(shop);
  const orders = await Promise.all(Array.from({ length: ORDERS }, () => order()));
  progress(`${rounds} payments are open`);
  gateway.pause = () => Promise.reject(new Error("The gateway is down."));
  const calls: number[] = [];
  const wait = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      const before = gateway.polls;
      await pass(shop, MINUTE);
      calls.push(gateway.polls - before);
    }
  };
  const heapBefore = heapMiB();
  await wait(MINUTES_DOWN);
  const heapAfter = heapMiB();
  progress("it answers again");
  gateway.pause = async () => {};
  await wait(MINUTES_AFTERWARDS);
  const unsettled = await countUnsettled(shop, payments);
  const late = await countLate(
    shop,
    orders.map(({ id }) => id),
  );
  const most = Math.max(...calls.slice(MINUTES_DOWN));
  return {
    figures: {
      payments: rounds,
      "calls while it was down": calls.slice(0, MINUTES_DOWN).reduce((sum, one) => sum + one, 0),
      "calls in the fullest minute afterwards": most,
      "growth of the heap meanwhile, MiB": Math.round(heapAfter - heapBefore),
    },
    broken: [
      ...(unsettled > 0 ? [`${unsettled} payments are not settled ten minutes afterwards`] : []),
      ...(late > 0 ? [`${late} orders ended late`] : []),
      ...(most > CALLS_PER_MINUTE_MAX ? [`${most} calls in a minute afterwards`] : []),
    ],
  };
}

async function countUnsettled(shop: TestShop, payments: readonly string[]): Promise<number> {
  let count = 0;
  for (const id of payments) {
    const status = (await shop.get(`/v2/payments/${id}`)).at("/status");
    if (status !== "succeeded") count += 1;
  }
  return count;
}

/** The orders that were not cancelled at the instant at which they expired. */
async function countLate(shop: TestShop, orders: readonly string[]): Promise<number> {
  const events = await shop.events();
  const ended = new Map(
    events
      .filter(({ name }) => name === "order.cancelled")
      .map(({ subject, createdAt }) => [subject, createdAt]),
  );
  let count = 0;
  for (const id of orders) {
    const placedAt = Date.parse((await shop.get(`/v2/orders/${id}`)).string("/created_at"));
    if (ended.get(id) !== placedAt + EXPIRY_MINUTES * MINUTE * 1000) count += 1;
  }
  return count;
}

function heapMiB(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed / 2 ** 20;
}
