// Story: a change of a payment is recorded on its order, so that the order's totals are the sums of its payments.

import { reduceSale } from "#payments/order-refunds/reduce-sale.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { recordPayment } from "#sales/changing/settle-order.ts";
import { noPaidTotals, subtractTotals } from "#sales/rows/balance.ts";
import { type Order, settlingTimers } from "#sales/rows/order.ts";

import { contributionOf, type Payment } from "./payment.ts";

/** Afterwards the locked order's totals include the change of the payment; `before` is null for a new one. */
export async function recordOnOrder(
  tx: Tx,
  order: Order,
  { before, after }: { readonly before: Payment | null; readonly after: Payment },
): Promise<Order> {
  const former = before === null ? noPaidTotals : contributionOf(before);
  const added = subtractTotals(contributionOf(after), former);
  if (Object.values(added).every((difference) => difference === 0)) return order;
  const isPaid = added.paidMinor > 0;
  const updated = await recordPayment(tx, order, {
    ...added,
    method: isPaid ? after.method : null,
  });
  if (isPaid) await planClosing(tx, updated);
  // A refund that failed left money for units that were credited, so that less of them is written off.
  const isTakenBack = updated.writtenOffMinor < order.writtenOffMinor;
  return isTakenBack ? (await reduceSale(tx, { order: updated })).order : updated;
}

/** Cancelling the other attempts calls gateways, so a timer does it outside of this transaction. */
async function planClosing(tx: Tx, order: Order): Promise<void> {
  if (order.openAttempts === 0) return;
  await setTimer(tx, { name: settlingTimers.closeAttempts, subject: order.id, dueAt: tx.now });
}
