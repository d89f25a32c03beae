// The till of a test shop: orders to be paid, requests to pay them, and what became of the money.

import { engine } from "#platform/database/engine.ts";

import { tamper } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import {
  type Answered,
  openTestShop,
  type TestShop,
  type TestShopOptions,
} from "../support/shop.ts";

/** A shop whose money goes through a gateway of the test's own. */
export async function openTill(
  options: TestShopOptions = {},
): Promise<{ shop: TestShop; gateway: ScriptedGateway }> {
  const gateway = new ScriptedGateway();
  return { gateway, shop: await openTestShop({ gateways: [gateway], ...options }) };
}

/** Orders for one mug each at 12.50; the goods are made once. */
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

/** Asks for the money of an order, or what else the body says. */
export function initialize(
  shop: TestShop,
  body: Readonly<Record<string, unknown>>,
  key?: string,
): Promise<Answered> {
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return shop.post("/v2/payments/initialize", body, { headers });
}

/** The gateway says that something happened; copies have the same id. */
export function notify(
  shop: TestShop,
  gateway: ScriptedGateway,
  { payment, id, signature = "right" }: { payment: string; id: string; signature?: string },
): Promise<Response> {
  return fetch(`${shop.url}/hooks/test/scripted`, {
    method: "POST",
    headers: { "x-signature": signature },
    body: JSON.stringify({ id, reference: gateway.referenceOf(payment) }),
  });
}

/** Lets so many seconds of the shop's time pass, with everything that happens in them. */
export async function pass(shop: TestShop, seconds: number): Promise<void> {
  const advanced = await shop.post("/v2/test/clock/advance", { seconds });
  if (advanced.at("/settled") !== true) throw new Error(advanced.text);
}

/** Lets everything happen that is due now. */
export async function settle(shop: TestShop): Promise<void> {
  await shop.duka.timers.test.fireDue();
}

/** How often each event came about an order, by name. */
export async function heardOf(shop: TestShop, orderId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const event of await shop.events()) {
    if (event.subject === orderId) counts[event.name] = (counts[event.name] ?? 0) + 1;
  }
  return counts;
}

/** Where other programs could run: what one that is gone had for itself is its no longer, as a minute later. */
export async function endLeases(directory: string): Promise<void> {
  if (engine === "postgres") await tamper(directory, "UPDATE leases SET until = 0");
}
