// Story: an order is saved as its next version, and completed once nothing is left to do.

import { MINUTE_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { awaitsPayment, dueOf, isDone } from "#sales/rows/balance.ts";
import { type Order, unpaidOrderTimers } from "#sales/rows/order.ts";
import { orderRows } from "#sales/rows/queries.ts";
import { clearOrderTimers } from "#sales/rows/recovery-timers.ts";
import { getStore } from "#shop/store/lookups.ts";
import { expiryMinutesOf } from "#shop/store/payment-methods.ts";

import { advanceOrder } from "./advance-order.ts";

/**
 * Saves the change as the order's next version; completes an open order that is shipped and paid.
 * Throws WriteConflict if the order is no longer at the version before.
 */
export async function saveOrder(tx: Tx, before: Order, change: Partial<Order>): Promise<Order> {
  if (before.status === "open" && isDone({ ...before, ...change })) {
    return advanceOrder(tx, before, { action: "complete", change });
  }
  const dueMinor = dueOf({ ...before, ...change });
  const after = await orderRows.save(tx, before, { ...change, dueMinor });
  await clearOrderTimers(tx, before, after);
  return after;
}

/**
 * Returns the locked order, which afterwards has as long from now as a new order of its payment method if it expires: a
 * part of its money was accepted late.
 */
export async function restartExpiry(tx: Tx, before: Order): Promise<Order> {
  if (before.expiresAt === null || !awaitsPayment(before)) return before;
  // Cash of the merchant's own orders has no end: an order that has one was placed by a customer.
  const terms = { isFromMerchant: false };
  const minutes = expiryMinutesOf(await getStore(tx), before.paymentMethod, terms);
  const expiresAt = minutes === null ? null : tx.now + minutes * MINUTE_MS;
  const order = await saveOrder(tx, before, { expiresAt });
  const { expire: name } = unpaidOrderTimers;
  if (expiresAt === null) await clearTimer(tx, name, order.id);
  else await setTimer(tx, { name, subject: order.id, dueAt: expiresAt });
  return order;
}
