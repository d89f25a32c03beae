// Story: a payment, a refund, or the start or end of a payment attempt is recorded on its order.
// The only writer of an order's paid and refunded totals.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Order } from "#sales/orders/order.ts";

import { dueOf } from "./balance.ts";
import { addTotals, type PaidTotals } from "./paid-totals.ts";
import { settleOrder } from "./settle-order.ts";

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
      ...addTotals(before, added),
      // Money that is not owed is refunded, so its method did not pay for the order.
      ...(method !== null && dueOf(before) > 0 ? { paymentMethod: method } : {}),
    },
  });
}
