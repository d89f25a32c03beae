// A test shop whose gateway the test scripts: orders, requests to pay them, notices and time.

import { beforeEach } from "bun:test";

import { CALL_TIMES, type CallTimes } from "#payments/port/gateway-times.ts";
import { engine } from "#platform/database/engine.ts";

import { tamper } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import {
  type Answered,
  openTestShop,
  sharedShop,
  type TestShop,
  type TestShopOptions,
} from "../support/shop.ts";

export interface ScriptedShop {
  readonly shop: TestShop;
  readonly gateway: ScriptedGateway;
}

/** Opens a shop with a scripted gateway. */
export async function openScriptedShop(
  options: TestShopOptions = {},
): Promise<ScriptedShop & AsyncDisposable> {
  const gateway = new ScriptedGateway();
  const shop = await openTestShop({ asks: "nothing", gateways: [gateway], ...options });
  return { gateway, shop, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() };
}

/** People who read a payment wait for its gateway no longer than this, so that a test of a silent one is short. */
export const shortReads: CallTimes = { ...CALL_TIMES, reader: 200 };

/** One shop for all tests of the file, or of a `describe`; its gateway begins each test without script and books. */
export function sharedScriptedShop(
  options: TestShopOptions = {},
  gateway = new ScriptedGateway(),
): ScriptedShop {
  beforeEach(() => gateway.forget());
  return { gateway, shop: sharedShop({ asks: "nothing", gateways: [gateway], ...options }) };
}

/** The payer pays, by default the whole amount, and the gateway's notice says so. */
export async function paidAtGateway(
  { shop, gateway }: ScriptedShop,
  payment: string,
  terms: { readonly amountMinor?: number; readonly currency?: string } = {},
): Promise<void> {
  gateway.pay(payment, terms);
  await notify(shop, gateway, { payment, id: `paid ${payment}` });
  await settle(shop);
}

/** Returns a function that places an order of mugs at 12.50; the product is created once. */
export async function orderCounter(shop: TestShop) {
  const cup = await mug(shop, { stock: 500 });
  return async (terms: Readonly<Record<string, unknown>> = {}, quantity = 1): Promise<Answered> => {
    const placed = await shop.post("/v2/orders", {
      line_items: [{ variant_id: cup.variantId, quantity }],
      customer: { email: "ada@example.com" },
      ...terms,
    });
    if (placed.status !== 201) throw new Error(placed.text);
    return placed;
  };
}

/** Initializes a payment. */
export function initialize(
  shop: TestShop,
  body: Readonly<Record<string, unknown>>,
  key?: string,
): Promise<Answered> {
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return shop.post("/v2/payments/initialize", body, { headers });
}

/** Delivers a notice of the gateway; notices of one id are copies. */
export function notify(
  shop: TestShop,
  gateway: ScriptedGateway,
  {
    payment,
    signature = "right",
    ...notice
  }: { payment: string; id: string; topic?: "payment" | "refund"; signature?: string },
): Promise<Response> {
  return fetch(`${shop.url}/hooks/test/scripted`, {
    method: "POST",
    headers: { "x-signature": signature },
    body: JSON.stringify({ ...notice, reference: gateway.referenceOf(payment) }),
  });
}

/** Advances the shop's clock by so many seconds and fires the timers due on the way. */
export async function pass(shop: TestShop, seconds: number): Promise<void> {
  const advanced = await shop.post("/v2/test/clock/advance", { seconds });
  if (advanced.status !== 200) throw new Error(advanced.text);
  // On a busy machine a long way goes on after the answer; what fires next waits for it.
  if (advanced.at("/settled") !== true) await settle(shop);
}

/** Fires all timers that are due now. */
export async function settle(shop: TestShop): Promise<void> {
  await shop.duka.timers.test.fireDue();
}

/** Counts the events of an order by name. */
export async function eventCounts(
  shop: TestShop,
  orderId: string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const event of await shop.events()) {
    if (event.subject === orderId) counts[event.name] = (counts[event.name] ?? 0) + 1;
  }
  return counts;
}

/** Ends the leases of a stopped program, as if a minute had passed. Only on PostgreSQL. */
export async function endLeases(directory: string): Promise<void> {
  if (engine === "postgres") await tamper(directory, "UPDATE leases SET until = 0");
}
