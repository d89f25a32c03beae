// Lists and timelines of orders on the wire: the queries.

import Type, { type Static } from "typebox";

import { createdAtFilters, idSpan } from "#platform/http/contract/created-at.ts";
import { choice, line, object, optional, whole } from "#platform/http/contract/words.ts";
import { fulfillmentStatuses, orderStatuses, paymentStatuses } from "#sales/orders/order-life.ts";

import type { OrderQuery } from "./list-orders.ts";
import type { TimelineRequest } from "./read-timeline.ts";

const anyOf = <const T extends readonly string[]>(values: readonly [...T]) =>
  optional(
    Type.Array(choice(values), {
      minItems: 1,
      maxItems: values.length,
      description: "Any of these, comma-separated.",
    }),
  );

export const orderQuerySchema = object({
  status: anyOf(orderStatuses),
  payment_status: anyOf(paymentStatuses),
  fulfillment_status: anyOf(fulfillmentStatuses),
  customer_id: optional(line(64)),
  channel: optional(line(40)),
  number: optional(whole(1)),
  external_id: optional(line(255)),
  q: optional(
    line(200, {
      description: "Searches order number, external id, and the customer's name, email and phone.",
    }),
  ),
  ...createdAtFilters,
});

export const timelineQuerySchema = object({
  after: optional(
    whole(0, undefined, { default: 0, description: "Returns only events after this sequence." }),
  ),
  limit: optional(whole(1, 100, { default: 100 })),
});

/** Reads the query of a list. */
export function readOrderQuery(query: Static<typeof orderQuerySchema>): OrderQuery {
  return {
    status: query.status,
    paymentStatus: query.payment_status,
    fulfillmentStatus: query.fulfillment_status,
    customerId: query.customer_id,
    channel: query.channel,
    number: query.number,
    externalId: query.external_id,
    q: query.q,
    ...idSpan("order", query),
  };
}

/** Reads the query of a timeline. */
export function readTimelineQuery(query: Static<typeof timelineQuerySchema>): TimelineRequest {
  return { after: query.after ?? 0, limit: query.limit ?? 100 };
}
