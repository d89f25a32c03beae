// The events of payments, and of refunds that succeeded.

import Type from "typebox";

import { eventCustomer } from "#customers/events.ts";
import { type Refund, surplusOf } from "#payments/refunds/refund.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { added, from, inBothUnits, shape } from "#platform/http/contract/wire.ts";
import { choice, idOf, nullable } from "#platform/http/contract/words.ts";
import type { Surplus } from "#sales/balance/balance.ts";
import { orderNews, saleRefunded } from "#sales/orders/events.ts";
import { paymentStatuses } from "#sales/orders/order-life.ts";
import type { Order } from "#sales/orders/order.ts";

import type { Payment } from "./payment.ts";
import { attemptFields, refundWire } from "./schema.ts";

/** A payment with its order; null for a payment link. */
interface PaymentNews extends Payment {
  readonly order: Order | null;
}

const movedEvents = declareEvents(
  shape<PaymentNews>()({
    payment_id: from((payment: Payment) => payment.id, idOf("payment")),
    ...attemptFields,
    channel: from(({ order }: PaymentNews) => order?.channel ?? null, nullable(Type.String())),
    customer: eventCustomer(({ order }: PaymentNews) => order?.customer ?? null),
  }),
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
    refund: refundWire,
  }),
  { "order.refunded": "Money of an order was refunded." },
);

export const paymentEvents = { ...movedEvents.schemas, ...refundedEvents.schemas };

/**
 * Builds the event of a payment that changed its state. The subject is its order, so that erasing the
 * customer there redacts this event too; a payment link is its own subject.
 */
export function paymentMoved(name: string, payment: Payment, order: Order | null): Announcement {
  return movedEvents.announce(name, payment.orderId ?? payment.id, { ...payment, order });
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
