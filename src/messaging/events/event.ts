// The names of all public events, and the refusals of the feed.

import { shapeFaults } from "#kernel/fault.ts";
import { defineRefusal } from "#kernel/refusal.ts";

/** One name per fact. The meaning of a name never changes. */
export const eventNames = [
  "order.placed",
  "order.paid",
  "order.fulfilled",
  "order.cancelled",
  "order.updated",
  "order.refunded",
  "order.returned",
  "payment.initialized",
  "payment.succeeded",
  "payment.failed",
  "payment.review",
  "payment.corrected",
  "payment.disputed",
  "payment.dispute_closed",
  "refund.failed",
  "refund.cancelled",
  "refund.needs_attention",
  "inventory.low",
  "product.created",
  "product.updated",
  "product.archived",
  "product.deleted",
  "collection.created",
  "collection.updated",
  "collection.deleted",
  "discount.created",
  "discount.updated",
  "discount.archived",
  "discount.exhausted",
  "customer.created",
  "customer.updated",
  "customer.deleted",
  "cart.abandoned",
  "cart.recovered",
  "checkout.started",
  "webhook.disabled",
  "key.created",
  "key.revoked",
] as const;
export type EventName = (typeof eventNames)[number];

/** Events that tell who may enter the shop: a webhook receives them only if it names them. */
const namedOnly: ReadonlySet<string> = new Set<EventName>(["key.created", "key.revoked"]);

/** Returns true if `*` does not stand for the event where a webhook subscribes. */
export function isNamedOnly(name: string): boolean {
  return namedOnly.has(name);
}

const nouns = new Set(eventNames.map((name) => name.slice(0, name.indexOf("."))));

/** The patterns that a reader may ask for: names, one pattern per noun, and `*` for all. */
export const eventPatterns: readonly string[] = [
  ...eventNames,
  ...[...nouns].map((noun) => `${noun}.*`),
  "*",
];

/** The names that match a pattern (a name, `order.*` or `*`); empty for an unknown pattern. */
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
export const eventNotKnown = defineRefusal("event_not_known", "malformed", {
  title: "There is no event with this name.",
  cause: "The `event` filter matches no event.",
  remedy: "Use a name or a pattern such as `order.*` from the list of events.",
  faults: { invalid_choice: shapeFaults.invalid_choice },
  example: {
    faults: [
      {
        parameter: "event",
        code: "invalid_choice",
        detail: "There is no event with this name; is it order.*?",
      },
    ],
  },
});
