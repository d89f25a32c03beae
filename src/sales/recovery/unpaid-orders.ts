// What the timers do with orders that were not paid in time.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { cancelOrder } from "#sales/orders/cancel-order.ts";
import { orderAbandoned } from "#sales/orders/events.ts";
import { awaitsPayment, OPEN_ATTEMPT_RETRY_MS, unpaidOrderTimer } from "#sales/orders/order.ts";
import { findLines, orderRows } from "#sales/orders/queries.ts";

import { issueRecoveryUrl } from "./recovery-links.ts";

/**
 * Emits `cart.abandoned` for an order that still awaits payment, and sets the timer of its expiry.
 * While a payment attempt is open the order is not abandoned: the timer runs again after
 * `OPEN_ATTEMPT_RETRY_MS`.
 */
export async function abandonOrder(tx: Tx, id: Id<"order">): Promise<void> {
  const order = await orderRows.findLocked(tx, id);
  if (order === undefined || !awaitsPayment(order)) return;
  if (order.expiresAt !== null) {
    await setTimer(tx, { name: unpaidOrderTimer, subject: id, dueAt: order.expiresAt });
  }
  if (order.openAttempts > 0) {
    const dueAt = tx.now + OPEN_ATTEMPT_RETRY_MS;
    await setTimer(tx, { name: "abandon_order", subject: id, dueAt });
    return;
  }
  const lines = await findLines(tx, [id]);
  await tx.emit(orderAbandoned({ order, lines }, await issueRecoveryUrl(tx, id)));
}

/**
 * Clears the expiry timer and cancels an order that still awaits payment as `expired`, which
 * releases its stock. While a payment attempt is open its outcome decides: the timer runs again
 * after `OPEN_ATTEMPT_RETRY_MS`.
 */
export async function expireOrder(tx: Tx, id: Id<"order">): Promise<void> {
  const order = await orderRows.findLocked(tx, id);
  await clearTimer(tx, unpaidOrderTimer, id);
  if (order === undefined || !awaitsPayment(order) || order.expiresAt === null) return;
  if (order.openAttempts > 0) {
    const dueAt = tx.now + OPEN_ATTEMPT_RETRY_MS;
    await setTimer(tx, { name: unpaidOrderTimer, subject: id, dueAt });
    return;
  }
  const cancellation = { reason: "expired", note: null, refund: true } as const;
  await cancelOrder(tx, id, { cancellation, expected: null });
}
