// Story: a payment, a refund, or the start or end of a payment attempt is recorded on its order.
// The only writer of an order's paid and refunded totals.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Order } from "#sales/orders/order.ts";

import { dueOf } from "./balance.ts";
import { settleOrder } from "./settle-order.ts";

/** What payments add up to on their order; amounts in minor units of its currency. */
export interface PaidTotals {
  readonly paidMinor: number;
  readonly refundingMinor: number;
  readonly refundedMinor: number;
  readonly openAttempts: number;
  readonly paymentsInReview: number;
}

/** The differences to add to the order's totals. */
export interface PaymentRecord extends PaidTotals {
  /** The method of the captured payment; null if nothing was captured. */
  readonly method: PaymentMethod | null;
}

/**
 * Adds the record to the totals of a locked order, with all that follows from them. `order.paid` is never
 * emitted for a cancelled order.
 */
export function recordPayment(
  tx: Tx,
  before: Order,
  { method, ...added }: PaymentRecord,
): Promise<Order> {
  return settleOrder(tx, before, {
    change: {
      paidMinor: before.paidMinor + added.paidMinor,
      refundingMinor: before.refundingMinor + added.refundingMinor,
      refundedMinor: before.refundedMinor + added.refundedMinor,
      openAttempts: before.openAttempts + added.openAttempts,
      paymentsInReview: before.paymentsInReview + added.paymentsInReview,
      // Money that is not owed is refunded, so its method did not pay for the order.
      ...(method !== null && dueOf(before) > 0 ? { paymentMethod: method } : {}),
    },
  });
}
