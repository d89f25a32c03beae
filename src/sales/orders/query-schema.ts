// Lists and timelines of orders on the wire, and the sums that a customer has spent.

import Type, { type Static } from "typebox";

import { inBounds } from "#kernel/money.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import { soughtBy } from "#kernel/text.ts";
import { toIso } from "#kernel/time.ts";
import { thaw } from "#platform/event-log/event-log.ts";
import { anyOf, createdAtFilters, idSpan, timeSpan } from "#platform/http/contract/filters.ts";
import { from, inBothUnits, list, shape, wire } from "#platform/http/contract/wire.ts";
import {
  anyMembers,
  component,
  currency,
  identifying,
  idOf,
  instant,
  instantOrDay,
  line,
  nullable,
  object,
  optional,
  sought,
  verbatim,
  whole,
} from "#platform/http/contract/words.ts";
import type { CustomerTotals, TotalsOfCurrency } from "#sales/history/customer-totals.ts";
import type { OrderQuery } from "#sales/history/list-orders.ts";
import { fulfillmentStatuses, orderStatuses, paymentStatuses } from "#sales/rows/order-life.ts";
import { namedActorShape } from "#shop/entries/schema.ts";

import type { Timeline, TimelineRequest } from "./lookups.ts";

/** As many as a page of orders has at most. */
const IDS_MAX = 100;

export const orderQuerySchema = object({
  id: optional(
    Type.Array(line(64), {
      minItems: 1,
      maxItems: IDS_MAX,
      description: "Orders with these ids, comma-separated. An id of no order is left out.",
    }),
  ),
  status: anyOf(orderStatuses),
  payment_status: anyOf(paymentStatuses),
  fulfillment_status: anyOf(fulfillmentStatuses),
  payment_method: anyOf(paymentMethods),
  to_pack: optional(
    Type.Boolean({
      description:
        "Only orders whose goods wait to be sent, or only the others: open, not all sent, and paid, or paid when they are handed over.",
    }),
  ),
  customer_id: optional(line(64)),
  channel: optional(line(40)),
  number: optional(whole(1)),
  external_id: optional(line(255, verbatim)),
  product_id: optional(line(64, { description: "Orders with a line of this product." })),
  sku: optional(
    line(100, {
      ...identifying,
      ...sought,
      description: "Orders with a line of this SKU, as it was sold.",
    }),
  ),
  q: optional(
    line(200, {
      description:
        "Searches order number, external id, the customer's name, email and phone, and its products as `q` of the list of products finds them now. Of those that have the words, the newest 200 customers and 50 products are searched for.",
    }),
  ),
  ...createdAtFilters,
  "paid_at[gte]": optional(instantOrDay),
  "paid_at[gt]": optional(instantOrDay),
  "paid_at[lte]": optional(instantOrDay),
  "paid_at[lt]": optional(instantOrDay),
  "updated_at[gte]": optional(instantOrDay),
  "updated_at[gt]": optional(instantOrDay),
  "updated_at[lte]": optional(instantOrDay),
  "updated_at[lt]": optional(instantOrDay),
});

export const timelineQuerySchema = object({
  after: optional(
    whole(0, undefined, { default: 0, description: "Returns only events after this sequence." }),
  ),
  limit: optional(whole(1, 100, { default: 100 })),
});

/** Reads the query of a list. */
export function readOrderQuery(query: Static<typeof orderQuerySchema>): OrderQuery {
  const paid = timeSpan({
    gte: query["paid_at[gte]"],
    gt: query["paid_at[gt]"],
    lte: query["paid_at[lte]"],
    lt: query["paid_at[lt]"],
  });
  const updated = timeSpan({
    gte: query["updated_at[gte]"],
    gt: query["updated_at[gt]"],
    lte: query["updated_at[lte]"],
    lt: query["updated_at[lt]"],
  });
  return {
    ids: query.id,
    status: query.status,
    paymentStatus: query.payment_status,
    fulfillmentStatus: query.fulfillment_status,
    toPack: query.to_pack,
    customerId: query.customer_id,
    channel: query.channel,
    number: query.number,
    externalId: query.external_id,
    paymentMethod: query.payment_method,
    productId: query.product_id,
    skus: query.sku === undefined ? undefined : soughtBy(query.sku),
    paidFrom: paid.from,
    paidBelow: paid.below,
    updatedFrom: updated.from,
    updatedBelow: updated.below,
    q: query.q,
    ...idSpan("order", query),
  };
}

/** Reads the query of a timeline. */
export function readTimelineQuery(query: Static<typeof timelineQuerySchema>): TimelineRequest {
  return { after: query.after ?? 0, limit: query.limit ?? 100 };
}

export const timelineSchema = object({
  data: Type.Array(
    component("OrderEvent", {
      id: idOf("event"),
      sequence: whole(1),
      type: Type.String(),
      event: Type.String({ description: "The same as `type`, under its name in the feed." }),
      at: instant,
      created_at: instant,
      actor: namedActorShape.schema,
      request_id: nullable(Type.String()),
      data: anyMembers("The payload of the event."),
    }),
  ),
  has_more: Type.Boolean(),
  next_after: whole(0),
});

/** Presents a page of a timeline. */
export function presentTimeline(timeline: Timeline): Static<typeof timelineSchema> {
  return {
    data: timeline.events.map(({ actor: { type, id, name }, ...event }) => ({
      id: event.id,
      sequence: event.sequence,
      type: event.name,
      event: event.name,
      at: toIso(event.createdAt),
      created_at: toIso(event.createdAt),
      actor: { type, id, name },
      request_id: event.requestId,
      data: thaw(event.data),
    })),
    has_more: timeline.hasMore,
    next_after: timeline.nextAfter,
  };
}

const ofCurrency = shape<TotalsOfCurrency>()({
  currency,
  orders_count: from(
    ({ ordersCount }: TotalsOfCurrency) => ordersCount,
    whole(0, undefined, { description: "All orders, cancelled and unpaid ones as well." }),
  ),
  ...inBothUnits("paid", ({ paidMinor }: TotalsOfCurrency) => inBounds(paidMinor)),
  ...inBothUnits("refunded", ({ refundedMinor }: TotalsOfCurrency) => inBounds(refundedMinor)),
  ...inBothUnits("spent", ({ paidMinor, refundedMinor }: TotalsOfCurrency) =>
    inBounds(paidMinor - refundedMinor),
  ),
});

export const customerTotalsWire = wire<CustomerTotals>()("CustomerTotals", {
  customer_id: idOf("customer"),
  currencies: list(ofCurrency, { description: "One for each currency of the customer's orders." }),
});
