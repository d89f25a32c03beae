// Mugs that were paid, to be refunded: through the scripted gateway, or by hand.

import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import type { ScriptedGateway } from "../support/scripted-gateway.ts";
import type { Answered, TestShop } from "../support/shop.ts";
import {
  initialize,
  orderCounter,
  paidAtGateway,
  pass,
  type ScriptedShop,
} from "./scripted-shop.ts";

const DAY_S = 86_400;

/** A mug, or a payment link of the same amount, that was paid through the gateway of the shop. */
export async function paidMug(scripted: ScriptedShop, { isLink = false } = {}) {
  const order = await orderCounter(scripted.shop);
  const placed = await order();
  const asked = isLink ? { amount: 12.5, currency: "USD" } : { order_id: placed.id };
  const payment = await initialize(scripted.shop, asked);
  await paidAtGateway(scripted, payment.id);
  return { ...scripted, order, placed, payment };
}

/** Places an order of mugs and confirms that a transfer of this amount came. */
export async function handedOver(
  shop: TestShop,
  { amount = 12.5, quantity = 1, order }: Transfer = {},
): Promise<{ readonly placed: Answered; readonly payment: Answered }> {
  const place = order ?? (await orderCounter(shop));
  const placed = await place({ payment_method: "bank_transfer" }, quantity);
  const asked = { order_id: placed.id, method: "bank_transfer", amount };
  const { id } = await initialize(shop, asked);
  const payment = await shop.post(`/v2/payments/${id}/confirm`, { amount, currency: "USD" });
  if (payment.status !== 200) throw new Error(payment.text);
  return { placed, payment };
}

interface Transfer {
  readonly amount?: number;
  readonly quantity?: number;
  /** Places orders in a shop that has mugs already. */
  readonly order?: Awaited<ReturnType<typeof orderCounter>>;
}

/** The refunds that the gateway has paid, minor units. */
export function refundsSent({ refunds }: ScriptedGateway): number[] {
  return [...refunds.values()].map(({ amountMinor }) => amountMinor);
}

/** Lets a day pass, in which all timers that are due fire. */
export async function dayPasses(shop: TestShop): Promise<void> {
  await pass(shop, DAY_S);
}

/** What `duka check` finds of orders and payments. */
export function auditsOf({ test: { database } }: TestShop): Promise<unknown[]> {
  return database.readTogether(async (read) => [
    ...(await Array.fromAsync(auditOrders(read))),
    ...(await Array.fromAsync(auditPayments(read))),
  ]);
}
