// Story: a new attempt to pay is saved, before any gateway is called.

import { paymentMoved } from "#payments/payments/events.ts";
import { nextPollAt, type Payment, paymentTimerNames } from "#payments/payments/payment.ts";
import { paymentRows } from "#payments/payments/queries.ts";
import { recordOnOrder } from "#payments/payments/record-on-order.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import type { Order } from "#sales/rows/order.ts";

/**
 * Inserts the attempt, counts it on its locked order and emits `payment.initialized`. An attempt at a
 * gateway gets its timers; one by hand waits for the merchant.
 */
export async function saveAttempt(tx: Tx, payment: Payment, order: Order | null): Promise<void> {
  await paymentRows.insert(tx, payment);
  if (order !== null) await recordOnOrder(tx, order, { before: null, after: payment });
  await tx.emit(paymentMoved("payment.initialized", payment, order));
  if (payment.gateway === null) return;
  const { poll, expire } = paymentTimerNames;
  const timers = { [poll]: nextPollAt(payment, tx.now), [expire]: payment.expiresAt };
  for (const [name, dueAt] of Object.entries(timers)) {
    if (dueAt !== null) await setTimer(tx, { name, subject: payment.id, dueAt });
  }
}
