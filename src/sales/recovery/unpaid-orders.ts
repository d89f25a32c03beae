// Stories of timers: a cart that was not completed in time is abandoned, an unpaid order is abandoned and cancelled.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { advanceCart } from "#sales/carts/advance-carts.ts";
import { cartAt } from "#sales/carts/lookups.ts";
import { cartRows } from "#sales/carts/queries.ts";
import { cancelOrder } from "#sales/changing/cancel-order.ts";
import { orderAbandoned } from "#sales/orders/events.ts";
import { awaitsPayment } from "#sales/rows/balance.ts";
import { OPEN_ATTEMPT_RETRY_MS, unpaidOrderTimers } from "#sales/rows/order.ts";
import { findLines, orderRows } from "#sales/rows/queries.ts";

import { issueRecoveryUrl } from "./recover-cart.ts";

/**
 * Tells of a locked order whether an attempt to pay it is open at a gateway: its outcome decides, so
 * the clock waits for it. A promise to pay by hand stops no clock.
 */
type IsBeingPaid = (tx: Tx, id: Id<"order">) => Promise<boolean>;

/**
 * Emits `cart.abandoned` for an order that still awaits payment, and sets the timer of its expiry.
 * While it is being paid the order is not abandoned: the timer runs again after
 * `OPEN_ATTEMPT_RETRY_MS`.
 */
export async function abandonOrder(
  tx: Tx,
  id: Id<"order">,
  isBeingPaid: IsBeingPaid,
): Promise<void> {
  const order = await orderRows.findLocked(tx, id);
  if (order === undefined || !awaitsPayment(order)) return;
  if (order.expiresAt !== null) {
    await setTimer(tx, { name: unpaidOrderTimers.expire, subject: id, dueAt: order.expiresAt });
  }
  if (await isBeingPaid(tx, id)) {
    const dueAt = tx.now + OPEN_ATTEMPT_RETRY_MS;
    await setTimer(tx, { name: unpaidOrderTimers.abandon, subject: id, dueAt });
    return;
  }
  const lines = await findLines(tx, [id]);
  await tx.emit(orderAbandoned({ order, lines }, await issueRecoveryUrl(tx, id)));
}

/**
 * Clears the expiry timer and cancels an order that still awaits payment as `expired`, which
 * releases its stock. While it is being paid the timer runs again after `OPEN_ATTEMPT_RETRY_MS`. Returns whether it was
 * cancelled: the caller refunds what was paid.
 */
export async function expireOrder(
  tx: Tx,
  id: Id<"order">,
  isBeingPaid: IsBeingPaid,
): Promise<boolean> {
  const order = await orderRows.findLocked(tx, id);
  await clearTimer(tx, unpaidOrderTimers.expire, id);
  if (order === undefined || !awaitsPayment(order) || order.expiresAt === null) return false;
  if (await isBeingPaid(tx, id)) {
    const dueAt = tx.now + OPEN_ATTEMPT_RETRY_MS;
    await setTimer(tx, { name: unpaidOrderTimers.expire, subject: id, dueAt });
    return false;
  }
  const cancellation = { reason: "expired", note: null, refund: true } as const;
  await cancelOrder(tx, id, { cancellation, expected: null });
  return true;
}

/** Abandons a cart that is still in checkout and emits `cart.abandoned` with a recovery link. */
export async function abandonCart(tx: Tx, id: Id<"cart">): Promise<void> {
  const cart = await cartRows.findLocked(tx, id);
  if (cart?.status !== "checkout") return;
  const priced = await cartAt(tx, cart, tx.now);
  const recoveryUrl = await issueRecoveryUrl(tx, id);
  await advanceCart(tx, priced, { action: "abandon", change: { recoveryUrl } });
}

/** Expires an active or abandoned cart; leaves one in checkout to its abandonment. */
export async function expireCart(tx: Tx, id: Id<"cart">): Promise<void> {
  const cart = await cartRows.findLocked(tx, id);
  if (cart?.status !== "active" && cart?.status !== "abandoned") return;
  const priced = await cartAt(tx, cart, tx.now);
  await advanceCart(tx, priced, { action: "expire", change: { expiresAt: null } });
}
