// The only writer of a payment's state. Looks the action up in the life table, writes the next
// version, emits the event, and keeps the order's totals equal to the sums of its payments.

import { arrow } from "#kernel/machine.ts";
import { paymentMoved } from "#payments/rows/events.ts";
import type { LockedPayment } from "#payments/rows/lookups.ts";
import { type PaymentAction, paymentLife } from "#payments/rows/payment-life.ts";
import {
  isOpenAttempt,
  isWatched,
  type Payment,
  paymentForbidden,
  paymentTimerNames,
} from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import type { Announcement, Tx } from "#platform/database/database.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";
import type { TaxedParts } from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";

import { recordOnOrder } from "./record-on-order.ts";

export interface PaymentMove {
  readonly action: PaymentAction;
  readonly change: Partial<Payment>;
  /** Builds the event where it says more than the payment; the life table decides whether there is one. */
  readonly announce?: (after: Payment, order: Order | null) => Announcement;
  /** The parts of the order that its refunds are of, as far as the move changes them. */
  readonly parts?: TaxedParts;
}

/**
 * Afterwards the locked payment is in its next state, its order's totals include it, and its event is
 * emitted. `payment.failed` is emitted once per payment, however often it ends unpaid. Refuses with
 * `invalid_transition`.
 */
export async function advancePayment(
  tx: Tx,
  { payment: before, order }: LockedPayment,
  { action, change, announce, parts }: PaymentMove,
): Promise<LockedPayment> {
  const step = arrow(paymentLife, before.status, action);
  if (step === null) throw paymentForbidden(before, action);
  const isFailure = step.event === "payment.failed";
  const after = await paymentRows.save(tx, before, {
    ...change,
    status: step.next,
    failedAt: isFailure ? (before.failedAt ?? tx.now) : before.failedAt,
  });
  const isNews = step.event !== null && !(isFailure && before.failedAt !== null);
  if (isNews) await tx.emit(announce?.(after, order) ?? paymentMoved(step.event, after, order));
  const updated = order === null ? null : await recordOnOrder(tx, order, { before, after, parts });
  await clearTimers(tx, after);
  return { payment: after, order: updated };
}

async function clearTimers(tx: Tx, payment: Payment): Promise<void> {
  if (!isOpenAttempt(payment)) await clearTimer(tx, paymentTimerNames.expire, payment.id);
  // A notice that came since the last poll began may tell of more than this, such as a refund.
  const { noticedAt, lookedAt } = payment;
  const hasNews = noticedAt !== null && noticedAt >= lookedAt;
  if (!isWatched(payment) && !hasNews) await clearTimer(tx, paymentTimerNames.poll, payment.id);
}
