// The events of payments, and of refunds that succeeded.

import { type Refund, surplusOf } from "#payments/refunds/refund.ts";
import type { Announcement } from "#platform/database/database.ts";
import { orderRefunded } from "#sales/orders/events.ts";
import type { Order } from "#sales/orders/order.ts";

import type { Payment } from "./payment.ts";
import { presentAttempt, presentRefund } from "./schema.ts";

/**
 * A payment changed its state. The subject is its order, so that erasing the customer there redacts
 * this event too; a payment link is its own subject.
 */
export function paymentMoved(name: string, payment: Payment, order: Order | null): Announcement {
  const { refunds: _none, ...shown } = presentAttempt(payment);
  return {
    name,
    subject: payment.orderId ?? payment.id,
    data: {
      payment_id: payment.id,
      ...shown,
      channel: order?.channel ?? null,
      customer: customerOf(order),
    },
  };
}

function customerOf(order: Order | null) {
  if (order === null || order.customer === null) return null;
  return { id: order.customer.id, email: order.customer.email };
}

/** A refund succeeded; `all` are the refunds of its order, including this one. */
export function moneyReturned(
  order: Order,
  { refund, all }: { readonly refund: Refund; readonly all: readonly Refund[] },
): Announcement {
  return orderRefunded(order, { refund: presentRefund(refund), surplus: surplusOf(all) });
}
