// The events of payments, refunds and disputes.

import Type from "typebox";

import { eventCustomer } from "#customers/events.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { added, amountOf, from, inBothUnits, orNull, shape } from "#platform/http/contract/wire.ts";
import { choice, currency, idOf, nullable, whole } from "#platform/http/contract/words.ts";
import { taxLinesOf } from "#pricing/quote/schema.ts";
import { orderNews, saleRefunded } from "#sales/orders/events.ts";
import { orderPaymentStatus } from "#sales/orders/schema.ts";
import type { Order } from "#sales/rows/order.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import type { Dispute } from "./dispute.ts";
import { refundAttentions } from "./payment-life.ts";
import type { Payment } from "./payment.ts";
import { type Refund, saleRefundedOf } from "./refund.ts";
import { attemptFields, disputeWire, refundWire } from "./schema.ts";

/** A payment with its order; null for a payment link. */
interface PaymentNews extends Payment {
  readonly order: Order | null;
}

const paymentNews = {
  payment_id: from((payment: Payment) => payment.id, idOf("payment")),
  ...attemptFields,
  channel: from(({ order }: PaymentNews) => order?.channel ?? null, nullable(Type.String())),
  customer: eventCustomer(({ order }: PaymentNews) => order?.customer ?? null),
};

const movedEvents = declareEvents(shape<PaymentNews>()(paymentNews, { name: "PaymentNews" }), [
  "payment.initialized",
  "payment.succeeded",
  "payment.failed",
  "payment.review",
]);

interface CorrectedPayment extends PaymentNews {
  readonly previousMinor: number;
  readonly note: string | null;
}

const correctedEvents = declareEvents(
  shape<CorrectedPayment>()({
    ...paymentNews,
    ...inBothUnits("previous_total", (payment: CorrectedPayment) => payment.previousMinor),
    note: nullable(Type.String()),
  }),
  ["payment.corrected"],
);

/** A refund with its payment. */
interface RefundOfPayment extends Pick<
  Refund,
  "saleMinor" | "keptMinor" | "keptTaxes" | "givenBy" | "attention" | "currency"
> {
  readonly payment: Payment;
}

/** The parts of its order that a refund is of, and the way on which its money went. */
const refundedParts = {
  ...inBothUnits("sale_refunded", (refund: RefundOfPayment) => refund.saleMinor, added),
  ...inBothUnits("kept_refunded", (refund: RefundOfPayment) => refund.keptMinor, added),
  kept_tax_lines: added(taxLinesOf(({ keptTaxes }: RefundOfPayment) => keptTaxes)),
  method: from(
    ({ givenBy, payment }: RefundOfPayment) => givenBy ?? payment.method,
    added(paymentMethod),
  ),
  gateway: from(
    // The gateway paid a closed one as well: that money is meant.
    ({ givenBy, attention, payment }: RefundOfPayment) =>
      givenBy === null || attention === "paid_twice" ? payment.gateway : null,
    added(nullable(Type.String({ description: "Null for money by hand." }))),
  ),
  counted: from(
    ({ payment }: RefundOfPayment) => payment.capturedMinor > 0,
    added(
      Type.Boolean({
        description: "False of money that was sent back from review: it never counted as paid.",
      }),
    ),
  ),
};

/** A refund with its payment and its order; the order is null for a payment link. */
interface RefundNews extends Refund {
  readonly payment: Payment;
  readonly order: Order | null;
  /** The order of a refund that had succeeded, whose totals are without it; null for any other. */
  readonly undone: UndoneReturn | null;
  /** True if it had succeeded before. */
  readonly hadSucceeded: boolean;
  readonly refund: Refund;
}

interface UndoneReturn extends Order {
  readonly saleRefundedMinor: number;
}

const undoneReturn = shape<UndoneReturn>()(
  {
    payment_method: paymentMethod,
    ...saleRefunded((order: UndoneReturn) => order.saleRefundedMinor),
  },
  { name: "UndoneRefund" },
);

const refundEvents = declareEvents(
  shape<RefundNews>()(
    {
      id: idOf("refund"),
      refund_id: from((refund: RefundNews) => refund.id, idOf("refund")),
      payment_id: idOf("payment"),
      order_id: nullable(idOf("order")),
      number: from(({ order }: RefundNews) => order?.number ?? null, nullable(whole(1))),
      amount: amountOf((refund: RefundNews) => refund.amountMinor),
      amount_minor: whole(1),
      currency,
      channel: from(({ order }: RefundNews) => order?.channel ?? null, nullable(Type.String())),
      payment_method: from(({ payment }: RefundNews) => payment.method, paymentMethod),
      customer: eventCustomer(({ order }: RefundNews) => order?.customer ?? null),
      reason: from((refund: RefundNews) => refund.attention, nullable(choice(refundAttentions))),
      // The refunded part of the sale without this refund, where one of an order fails after `order.refunded`.
      undone: added(orNull(undoneReturn)),
      had_succeeded: added(
        Type.Boolean({ description: "Whether the money had gone back before, and came again." }),
      ),
      ...refundedParts,
      refund: refundWire,
    },
    { name: "RefundNews" },
  ),
  [
    "refund.failed",
    "refund.cancelled",
    "refund.needs_attention",
    "refund.excess_returned",
    "refund.approval_asked",
    "refund.approved",
    "refund.declined",
    "payment.refunded",
  ],
);

interface RefundedOrder extends Order, RefundOfPayment {
  readonly refund: Refund;
  readonly saleRefundedMinor: number;
}

const refundedEvents = declareEvents(
  shape<RefundedOrder>()({
    ...orderNews,
    ...saleRefunded((order: RefundedOrder) => order.saleRefundedMinor),
    payment_status: orderPaymentStatus.schema,
    ...inBothUnits("refunded_total", (order: Order) => order.refundedMinor, added),
    ...refundedParts,
    refund: refundWire,
  }),
  ["order.refunded"],
);

export const paymentEvents = {
  ...movedEvents.payloads,
  ...correctedEvents.payloads,
  ...refundedEvents.payloads,
  ...refundEvents.payloads,
};

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
  {
    refund,
    payment,
    all,
  }: { readonly refund: Refund; readonly payment: Payment; readonly all: readonly Refund[] },
): Announcement {
  const { saleMinor, keptMinor, keptTaxes, givenBy, attention } = refund;
  const parts = { saleMinor, keptMinor, keptTaxes, givenBy, attention };
  const news = { ...order, ...parts, refund, payment, saleRefundedMinor: saleRefundedOf(all) };
  return refundedEvents.announce("order.refunded", order.id, news);
}

/** Builds `payment.corrected`; `before` is the payment with the amount that was mistyped. */
export function paymentCorrected(
  payment: Payment,
  { before, ...news }: Pick<CorrectedPayment, "order" | "note"> & { readonly before: Payment },
): Announcement {
  const corrected = { ...payment, ...news, previousMinor: before.capturedMinor };
  return correctedEvents.announce("payment.corrected", payment.orderId ?? payment.id, corrected);
}

/**
 * Builds the event of a refund that failed, or that waits for a person or was decided on by one; the subject is as in
 * `paymentMoved`. `all` are the refunds of its order where it had succeeded before; null where it had not.
 */
export function refundMoved(
  name: string,
  refund: Refund,
  {
    all,
    ...about
  }: Pick<RefundNews, "payment" | "order" | "hadSucceeded"> & {
    readonly all: readonly Refund[] | null;
  },
): Announcement {
  const { order } = about;
  const undone =
    order === null || all === null ? null : { ...order, saleRefundedMinor: saleRefundedOf(all) };
  const subject = refund.orderId ?? refund.paymentId;
  return refundEvents.announce(name, subject, { ...refund, ...about, undone, refund });
}

/**
 * Builds the event of money that the gateway had paid too much and that came back to it. It tells the reason and the way
 * of the money as `refund.needs_attention` did, so that the books take back what they booked then.
 */
export function excessReturned(
  refund: Refund,
  about: Pick<RefundNews, "payment" | "order">,
): Announcement {
  return refundEvents.announce("refund.excess_returned", refund.orderId ?? refund.paymentId, {
    ...refund,
    ...about,
    attention: "paid_twice",
    undone: null,
    hadSucceeded: false,
    refund,
  });
}

const declared = declareEvents(
  shape<Dispute>()(
    {
      id: idOf("dispute"),
      dispute_id: from((dispute: Dispute) => dispute.id, idOf("dispute")),
      payment_id: idOf("payment"),
      order_id: nullable(idOf("order")),
      dispute: from((dispute: Dispute): Dispute => dispute, disputeWire),
    },
    { name: "DisputeNews" },
  ),
  ["payment.disputed", "payment.dispute_closed"],
);

export const disputeEvents = declared.payloads;

/** Builds the event of a dispute. The subject is its order; a payment link is its own subject. */
export function disputeMoved(name: string, dispute: Dispute): Announcement {
  return declared.announce(name, dispute.orderId ?? dispute.paymentId, dispute);
}
