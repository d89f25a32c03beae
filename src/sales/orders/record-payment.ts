// Story: a payment, a refund, or the start or end of a payment attempt is recorded on its order.
// The only writer of an order's paid and refunded totals. Invariant: `order.paid` is emitted once,
// by the write that first leaves nothing due.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { Tx } from "#platform/database/database.ts";

import { orderPaid } from "./events.ts";
import { dueOf, type Order, paymentStatusOf } from "./order.ts";
import { findLines } from "./queries.ts";
import { saveOrder } from "./save-order.ts";

/** The differences to add to the order's totals; amounts in minor units of its currency. */
export interface PaymentRecord {
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly openAttempts: number;
  /** The method of the captured payment; null if nothing was captured. */
  readonly method: PaymentMethod | null;
}

/**
 * Adds the record to the totals of a locked order, recomputes `payment_status`, and completes the
 * order if nothing is left to do. `order.paid` is never emitted for a cancelled order.
 */
export async function recordPayment(tx: Tx, before: Order, record: PaymentRecord): Promise<Order> {
  const totals = {
    totalMinor: before.totalMinor,
    paidMinor: before.paidMinor + record.capturedMinor,
    refundedMinor: before.refundedMinor + record.refundedMinor,
    openAttempts: before.openAttempts + record.openAttempts,
  };
  const isSettled = dueOf(totals) === 0;
  const becomesPaid = isSettled && before.paidAt === null && before.status !== "cancelled";
  const order = await saveOrder(tx, before, {
    ...totals,
    paymentStatus: paymentStatusOf(totals),
    // Money that is not owed is refunded, so its method did not pay for the order.
    paymentMethod:
      dueOf(before) > 0 && record.method !== null ? record.method : before.paymentMethod,
    // An order with a payment never expires: the rest may be paid at any time.
    ...(isSettled || totals.paidMinor > 0 ? { expiresAt: null } : {}),
    ...(becomesPaid ? { paidAt: tx.now } : {}),
  });
  if (becomesPaid) await tx.emit(orderPaid({ order, lines: await findLines(tx, [order.id]) }));
  return order;
}
