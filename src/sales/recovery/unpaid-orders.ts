// What happens to orders that were not paid when their time is over.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { cancelOrder } from "#sales/orders/cancel-order.ts";
import { orderLeft } from "#sales/orders/events.ts";
import { awaitsPayment, LOOK_AGAIN_MS, unpaidOrderTimer } from "#sales/orders/order.ts";
import { findLines, lockOrderRow } from "#sales/orders/queries.ts";

import { issueRecoveryUrl } from "./issue-recovery-url.ts";

/**
 * Afterwards `cart.abandoned` is announced for the order, once, and its expiry is watched. While an
 * attempt to pay is open nobody has left, and the story is told again a little later.
 */
export async function abandonOrder(tx: Tx, id: Id<"order">): Promise<void> {
  const order = await lockOrderRow(tx, id);
  if (order === undefined || !awaitsPayment(order)) return;
  if (order.expiresAt !== null) {
    await setTimer(tx, { name: unpaidOrderTimer, subject: id, dueAt: order.expiresAt });
  }
  if (order.openAttempts > 0) {
    await setTimer(tx, { name: "abandon_order", subject: id, dueAt: tx.now + LOOK_AGAIN_MS });
    return;
  }
  const lines = await findLines(tx, [id]);
  await tx.emit(orderLeft({ order, lines }, await issueRecoveryUrl(tx, id)));
}

/**
 * Afterwards its timer is gone, and an order that still waits for its money is cancelled as `expired`
 * and its stock is free. While an attempt to pay is open its gateway has the last word: the story is told again a
 * little later.
 */
export async function expireOrder(tx: Tx, id: Id<"order">): Promise<void> {
  const order = await lockOrderRow(tx, id);
  await clearTimer(tx, unpaidOrderTimer, id);
  if (order === undefined || !awaitsPayment(order) || order.expiresAt === null) return;
  if (order.openAttempts > 0) {
    await setTimer(tx, { name: unpaidOrderTimer, subject: id, dueAt: tx.now + LOOK_AGAIN_MS });
    return;
  }
  const cancellation = { reason: "expired", note: null, refund: true } as const;
  await cancelOrder(tx, id, { cancellation, expected: null });
}
