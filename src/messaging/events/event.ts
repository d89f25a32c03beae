// The events of the shop: every name that the world may hear, and their envelope.

import { defineRefusal } from "#kernel/refusal.ts";

/** One name per fact; a name keeps its meaning for ever. */
export const eventNames = [
  "order.placed",
  "order.paid",
  "order.fulfilled",
  "order.cancelled",
  "order.updated",
  "order.refunded",
  "payment.initialized",
  "payment.succeeded",
  "payment.failed",
  "payment.review",
  "inventory.low",
  "product.created",
  "product.updated",
  "product.archived",
  "product.deleted",
  "customer.created",
  "customer.updated",
  "customer.deleted",
  "cart.abandoned",
  "cart.recovered",
  "checkout.started",
  "webhook.disabled",
] as const;
export type EventName = (typeof eventNames)[number];

/** The names that a pattern stands for: a name, `order.*`, or `*`; none for an unknown one. */
export function namesMatching(pattern: string): EventName[] {
  if (pattern === "*") return [...eventNames];
  if (pattern.endsWith(".*")) {
    return eventNames.filter((name) => name.startsWith(pattern.slice(0, -1)));
  }
  return eventNames.filter((name) => name === pattern);
}

export const eventNotFound = defineRefusal(
  "event_not_found",
  "not_found",
  "There is no such event.",
);
export const eventNotKnown = defineRefusal(
  "event_not_known",
  "malformed",
  "There is no event of this name.",
);
