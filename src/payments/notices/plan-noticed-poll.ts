// Story: a payment is polled because there may be news of it.

import { noticedPollAt, type Payment, paymentTimerNames } from "#payments/payments/payment.ts";
import { recordNotice } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

/** Afterwards the payment is polled next, and its refunds are read although it may not tell of one. */
export async function planNoticedPoll(tx: Tx, payment: Payment): Promise<void> {
  await recordNotice(tx, payment.id);
  const dueAt = noticedPollAt(payment, tx.now);
  await setTimer(tx, { name: paymentTimerNames.poll, subject: payment.id, dueAt });
}
