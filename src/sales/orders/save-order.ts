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
 * Saves the change as the order's next version; completes an open order that is shipped and paid, and resumes a
 * completed one of which units are open again.
 * Throws WriteConflict if the order is no longer at the version before.
 */
export async function saveOrder(tx: Tx, before: Order, change: Partial<Order>): Promise<Order> {
  if (before.status === "open" && isDone({ ...before, ...change })) {
    return advanceOrder(tx, before, { action: "complete", change });
  }
  if (before.status === "completed" && isOpenAgain(change)) {
    return advanceOrder(tx, before, { action: "resume", change });
  }
  const dueMinor = dueOf({ ...before, ...change });
  const after = await orderRows.save(tx, before, { ...change, dueMinor });
  await clearOrderTimers(tx, before, after);
  return after;
}

/** A payment that is corrected to less leaves a completed order so: only units open it. */
function isOpenAgain({ fulfillmentStatus = "fulfilled" }: Partial<Order>): boolean {
  return fulfillmentStatus !== "fulfilled";
}

/**
 * Returns the locked order, which afterwards has as long from now as a new order of its payment method if it expires: a
 * part of its money was accepted late.
 */
export async function restartExpiry(tx: Tx, before: Order): Promise<Order> {
  if (before.expiresAt === null || !awaitsPayment(before)) return before;
  // Cash of the merchant's own orders has no end: an order that has one was placed by a customer.
  const expiresAt = await expiryFromNow(tx, before, { isFromMerchant: false });
  const order = await saveOrder(tx, before, { expiresAt });
  await setExpiryTimer(tx, order);
  return order;
}

/** Returns the time at which a new order of the same payment method would expire; null for never. */
export async function expiryFromNow(
  tx: Tx,
  { paymentMethod }: Order,
  terms: { readonly isFromMerchant: boolean },
): Promise<number | null> {
  const minutes = expiryMinutesOf(await getStore(tx), paymentMethod, terms);
  return minutes === null ? null : tx.now + minutes * MINUTE_MS;
}

/** Sets the timer that cancels the unpaid order, or clears that of one that does not expire any more. */
export async function setExpiryTimer(tx: Tx, { id: subject, expiresAt }: Order): Promise<void> {
  const { expire: name } = unpaidOrderTimers;
  if (expiresAt === null) await clearTimer(tx, name, subject);
  else await setTimer(tx, { name, subject, dueAt: expiresAt });
}
