// Stories: payments and their disputes are polled next: after a start, after a notice, and where a list tells of news.

import { findDisputesOfPayment } from "#payments/rows/dispute-queries.ts";
import { disputeTimer } from "#payments/rows/dispute.ts";
import type { PaymentStatus } from "#payments/rows/payment-life.ts";
import {
  noticedPollAt,
  openStates,
  type Payment,
  paymentTimerNames,
} from "#payments/rows/payment.ts";
import { findGatewayPaymentIds, recordNotice } from "#payments/rows/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

const ROWS_AT_ONCE = 500;

/** Sets the poll timer of each open attempt to now: nothing polled while the program was down. */
export async function planPolls(tx: Tx): Promise<void> {
  for (const status of openStates) await planPollsAt(tx, status);
}

async function planPollsAt(tx: Tx, status: PaymentStatus): Promise<void> {
  for (let after = "", hasMore = true; hasMore;) {
    const ids = await findGatewayPaymentIds(tx, { status, after, rows: ROWS_AT_ONCE });
    for (const subject of ids) {
      await setTimer(tx, { name: paymentTimerNames.poll, subject, dueAt: tx.now });
    }
    after = ids.at(-1) ?? after;
    hasMore = ids.length === ROWS_AT_ONCE;
  }
}

/** Afterwards the payment is polled next, and its refunds are read although it may not tell of one. */
export async function planNoticedPoll(tx: Tx, payment: Payment): Promise<void> {
  await recordNotice(tx, payment.id);
  const dueAt = noticedPollAt(payment, tx.now);
  await setTimer(tx, { name: paymentTimerNames.poll, subject: payment.id, dueAt });
}

/** Afterwards the gateway is polled next: it has news of a dispute. */
export async function planDisputePoll(tx: Tx, paymentId: string): Promise<void> {
  await setTimer(tx, { name: disputeTimer, subject: paymentId, dueAt: tx.now });
}

/** The same, unless one is known, which is polled by its plan: a notice of this one was lost, or came too early. */
export async function planFirstDisputePoll(tx: Tx, paymentId: string): Promise<void> {
  const known = await findDisputesOfPayment(tx, paymentId);
  if (known.length === 0) await planDisputePoll(tx, paymentId);
}
