// Story: money came in or went back, or an attempt to pay began or ended. The only writer of an
// order's paid and refunded totals. Invariant: `order.paid` is announced once, in the write in which
// nothing is due for the first time.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { Tx } from "#platform/database/database.ts";

import { orderPaid } from "./events.ts";
import { dueOf, type Order, paymentStatusOf } from "./order.ts";
import { findLines } from "./queries.ts";
import { saveOrder } from "./save-order.ts";

/** What becomes more or less; minor units of the order's currency. */
export interface PaymentRecord {
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly openAttempts: number;
  /** How what was captured was paid; null where nothing was. */
  readonly method: PaymentMethod | null;
}

/**
 * Afterwards the totals and `payment_status` of an order that is held say so, and one with nothing left
 * to do is completed. An order that was cancelled before its money came is never announced as paid.
 */
export async function recordPayment(tx: Tx, before: Order, record: PaymentRecord): Promise<Order> {
  const totals = {
    totalMinor: before.totalMinor,
    paidMinor: before.paidMinor + record.capturedMinor,
    refundedMinor: before.refundedMinor + record.refundedMinor,
    openAttempts: before.openAttempts + record.openAttempts,
  };
  const isSettled = dueOf(totals) === 0;
  const isNews = isSettled && before.paidAt === null && before.status !== "cancelled";
  const order = await saveOrder(tx, before, {
    ...totals,
    paymentStatus: paymentStatusOf(totals),
    // Money that nobody owed goes back: it paid for nothing.
    paymentMethod:
      dueOf(before) > 0 && record.method !== null ? record.method : before.paymentMethod,
    // Once money came nobody gives it up, so that the rest may be paid at any time.
    ...(isSettled || totals.paidMinor > 0 ? { expiresAt: null } : {}),
    ...(isNews ? { paidAt: tx.now } : {}),
  });
  if (isNews) await tx.emit(orderPaid({ order, lines: await findLines(tx, [order.id]) }));
  return order;
}
