// Events of orders. Every payload starts with the same fields, named and typed as in `order.paid`,
// followed by those of its event.

import { withoutCustomer } from "#customers/events.ts";
import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/database.ts";
import type { RedactField } from "#platform/event-log/redaction.ts";

import {
  type Fulfillment,
  noSurplus,
  type Order,
  saleRefundedMinor,
  type Surplus,
  type WholeOrder,
} from "./order.ts";
import { fulfillmentWire, presentLines, presentSaleTotals, printOf } from "./schema.ts";

function core(order: Order) {
  return {
    order_id: order.id,
    total: printOf(order, order.totalMinor),
    currency: order.currency,
    channel: order.channel,
    payment_method: order.paymentMethod,
    customer:
      order.customer === null ? null : { id: order.customer.id, email: order.customer.email },
    number: order.number,
    external_id: order.externalId,
  };
}

function announce(name: string, order: Order, particular: object): Announcement {
  return { name, subject: order.id, data: { ...core(order), ...particular } };
}

type OrderWithLines = Pick<WholeOrder, "order" | "lines">;

/** An order was placed, from any channel. */
export function orderPlaced({ order, lines }: OrderWithLines): Announcement {
  return announce("order.placed", order, {
    cart_id: order.cartId,
    line_items: presentLines(lines, order),
    metadata: order.metadata,
  });
}

/** Nothing is due for the first time; carries the lines and totals of the sale. */
export function orderPaid({ order, lines }: OrderWithLines): Announcement {
  return announce("order.paid", order, {
    cart_id: order.cartId,
    line_items: presentLines(lines, order),
    ...presentSaleTotals(order),
    ...saleRefunded(order, noSurplus),
  });
}

/** `cart.abandoned` for an order that is still unpaid, in the shape of the event of a cart. */
export function orderAbandoned(
  { order, lines }: OrderWithLines,
  recoveryUrl: string,
): Announcement {
  return {
    name: "cart.abandoned",
    subject: order.id,
    data: {
      cart_id: null,
      order_id: order.id,
      source: "order",
      channel: order.channel,
      line_items: presentLines(lines, order),
      total: printOf(order, order.totalMinor),
      currency: order.currency,
      customer: order.customer,
      recovery_url: recoveryUrl,
    },
  };
}

function saleRefunded(order: Order, surplus: Surplus) {
  const refundedMinor = saleRefundedMinor(order, surplus);
  return {
    sale_refunded_total: printOf(order, refundedMinor),
    sale_refunded_total_minor: refundedMinor,
  };
}

/** The last open unit was shipped. */
export function orderFulfilled(order: Order, fulfillment: Fulfillment): Announcement {
  return announce("order.fulfilled", order, { fulfillment: fulfillmentWire.present(fulfillment) });
}

/** A part of the order was shipped; open units remain. */
export function orderPartlyFulfilled(order: Order, fulfillment: Fulfillment): Announcement {
  return announce("order.updated", order, {
    changed: ["fulfillments"],
    fulfillment: fulfillmentWire.present(fulfillment),
  });
}

/** The merchant changed the order; `changed` names the fields. */
export function orderUpdated(order: Order, changed: readonly string[]): Announcement {
  return announce("order.updated", order, { changed });
}

/** The order was cancelled; `refund` says whether what was paid is refunded. */
export function orderCancelled(order: Order, refund: boolean): Announcement {
  return announce("order.cancelled", order, {
    cancel_reason: order.cancelReason,
    cancel_note: order.cancelNote,
    refund,
  });
}

/**
 * Money was refunded; `refund` is the refund as the API presents it, `surplus` what was not owed.
 */
export function orderRefunded(
  order: Order,
  { refund, surplus }: { readonly refund: object; readonly surplus: Surplus },
): Announcement {
  return announce("order.refunded", order, {
    ...saleRefunded(order, surplus),
    payment_status: order.paymentStatus,
    refunded_total: printOf(order, order.refundedMinor),
    refund,
  });
}

/** Redacts an erased customer from a payload; the note of a cancellation may name them too. */
export function withoutOrderCustomer(id: Id<"customer">): RedactField {
  const redact = withoutCustomer(id);
  return (field, value, holder) => (field === "cancel_note" ? null : redact(field, value, holder));
}
