// The only writer of a payment's state: asks the life table, writes the next version, tells the
// world and keeps the order's totals equal to what its payments add up to.

import { arrow } from "#kernel/machine.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { dueOf, type Order } from "#sales/orders/order.ts";
import { recordPayment } from "#sales/orders/record-payment.ts";

import { paymentMoved } from "./events.ts";
import type { LockedPayment } from "./lookups.ts";
import {
  contributionOf,
  isOpen,
  isWatched,
  type Payment,
  type PaymentAction,
  paymentForbidden,
  paymentLife,
  paymentTimerNames,
} from "./payment.ts";
import { replacePayment } from "./queries.ts";

export interface PaymentMove {
  readonly action: PaymentAction;
  readonly change: Partial<Payment>;
}

/**
 * Afterwards the payment, which is held, is in its next state, its order says so, and what must be announced is.
 * `payment.failed` comes once, however often it ends unpaid. Refuses with `invalid_transition`.
 */
export async function advancePayment(
  tx: Tx,
  { payment: before, order }: LockedPayment,
  { action, change }: PaymentMove,
): Promise<LockedPayment> {
  const step = arrow(paymentLife, before.status, action);
  if (step === null) throw paymentForbidden(before, action);
  const isFailure = step.event === "payment.failed";
  const after: Payment = {
    ...before,
    ...change,
    status: step.next,
    failedAt: isFailure ? (before.failedAt ?? tx.now) : before.failedAt,
    version: before.version + 1,
    updatedAt: tx.now,
  };
  if (!(await replacePayment(tx, after))) throw new WriteConflict("The payment");
  const isNews = step.event !== null && !(isFailure && before.failedAt !== null);
  if (isNews) await tx.emit(paymentMoved(step.event, after, order));
  const account = order === null ? null : await saveAccount(tx, order, { before, after });
  await clearTimers(tx, after);
  return { payment: after, order: account };
}

async function saveAccount(
  tx: Tx,
  order: Order,
  { before, after }: { readonly before: Payment; readonly after: Payment },
): Promise<Order> {
  const [was, is] = [contributionOf(before), contributionOf(after)];
  const record = {
    capturedMinor: is.capturedMinor - was.capturedMinor,
    refundedMinor: is.refundedMinor - was.refundedMinor,
    openAttempts: is.openAttempts - was.openAttempts,
  };
  if (Object.values(record).every((difference) => difference === 0)) return order;
  const isPaid = record.capturedMinor > 0;
  const account = await recordPayment(tx, order, {
    ...record,
    method: isPaid ? after.method : null,
  });
  if (isPaid) await endOthers(tx, account);
  return account;
}

/** What else was tried is called off outside of this transaction: gateways are asked. */
async function endOthers(tx: Tx, order: Order): Promise<void> {
  if (dueOf(order) > 0 || order.openAttempts === 0) return;
  await setTimer(tx, { name: paymentTimerNames.paid, subject: order.id, dueAt: tx.now });
}

async function clearTimers(tx: Tx, payment: Payment): Promise<void> {
  if (!isOpen(payment)) await clearTimer(tx, paymentTimerNames.expire, payment.id);
  if (!isWatched(payment)) await clearTimer(tx, paymentTimerNames.look, payment.id);
}
