// The events of payments, and of refunds that succeeded.

import Type, { type Static } from "typebox";

import { type Refund, surplusOf } from "#payments/refunds/refund.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { added, inBothUnits, shape } from "#platform/http/contract/wire.ts";
import { choice, idOf, nullable, object } from "#platform/http/contract/words.ts";
import { orderNews, saleRefunded } from "#sales/orders/events.ts";
import { paymentStatuses } from "#sales/orders/order-life.ts";
import type { Order, Surplus } from "#sales/orders/order.ts";

import type { Payment } from "./payment.ts";
import { paymentSchema, presentAttempt, refundField } from "./schema.ts";

const { refunds: _refunds, ...attemptFields } = paymentSchema.properties;

const paymentPayload = object({
  payment_id: idOf("payment"),
  ...attemptFields,
  channel: nullable(Type.String()),
  customer: nullable(object({ id: idOf("customer"), email: nullable(Type.String()) })),
});

interface PaymentMove {
  readonly payment: Payment;
  readonly order: Order | null;
}

function presentMove({ payment, order }: PaymentMove): Static<typeof paymentPayload> {
  const { refunds: _none, ...shown } = presentAttempt(payment);
  return {
    payment_id: payment.id,
    ...shown,
    channel: order?.channel ?? null,
    customer: customerOf(order),
  };
}

const movedEvents = declareEvents(
  { schema: paymentPayload, present: presentMove },
  {
    "payment.initialized": "An attempt to pay was started.",
    "payment.succeeded": "A payment succeeded: the money was received.",
    "payment.failed": "An attempt to pay failed, was declined or expired.",
    "payment.review": "Money was received that differs from what was asked for.",
  },
);

interface RefundedOrder extends Order {
  readonly refund: Refund;
  readonly surplus: Surplus;
}

const refundedEvents = declareEvents(
  shape<RefundedOrder>()({
    ...orderNews,
    ...saleRefunded((order: RefundedOrder) => order.surplus),
    payment_status: choice(paymentStatuses),
    ...inBothUnits("refunded_total", (order: Order) => order.refundedMinor, added),
    refund: refundField,
  }),
  { "order.refunded": "Money of an order was refunded." },
);

export const paymentEvents = { ...movedEvents.schemas, ...refundedEvents.schemas };

/**
 * Builds the event of a payment that changed its state. The subject is its order, so that erasing the
 * customer there redacts this event too; a payment link is its own subject.
 */
export function paymentMoved(name: string, payment: Payment, order: Order | null): Announcement {
  return movedEvents.announce(name, payment.orderId ?? payment.id, { payment, order });
}

function customerOf(order: Order | null) {
  if (order === null || order.customer === null) return null;
  return { id: order.customer.id, email: order.customer.email };
}

/**
 * Builds `order.refunded` for a refund that succeeded; `all` are the refunds of its order, this one
 * included.
 */
export function moneyReturned(
  order: Order,
  { refund, all }: { readonly refund: Refund; readonly all: readonly Refund[] },
): Announcement {
  const news = { ...order, refund, surplus: surplusOf(all) };
  return refundedEvents.announce("order.refunded", order.id, news);
}
