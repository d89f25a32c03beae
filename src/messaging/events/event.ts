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
  "payment.refunded",
  "payout.paid",
  "payout.failed",
  "refund.failed",
  "refund.cancelled",
  "refund.needs_attention",
  "refund.excess_returned",
  "refund.approval_asked",
  "refund.approved",
  "refund.declined",
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
  "limit.reached",
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

// The meaning of each event to those who receive it, as the API reference, the guides and `duka listen` say it.

/** In the order in which the guides list them. */
export const eventMeanings: Readonly<Record<EventName, string>> = {
  "order.placed": "An order was created and its stock reserved, from any channel.",
  "order.paid": "An order is paid: it has no amount due for the first time. Sent once per order.",
  "order.fulfilled": "The last open unit of an order was shipped.",
  "order.cancelled":
    "An order was cancelled, by the merchant, the customer or its expiry; its stock is released.",
  "order.updated": "An order was changed, or a part of it was shipped or cancelled.",
  "order.refunded": "Money of an order was refunded.",
  "order.returned": "Shipped units of an order came back.",
  "payment.initialized": "A payment attempt was created.",
  "payment.succeeded": "A payment succeeded: its money was received.",
  "payment.failed": "A payment attempt failed, was declined or expired.",
  "payment.review": "Money was received that differs from what was asked for; accept or refund it.",
  "payment.corrected": "The merchant corrected the amount of a payment that was confirmed by hand.",
  "payment.disputed":
    "A customer's bank asks for the money of a payment back; answer it at the gateway.",
  "payment.dispute_closed": "A dispute was won, lost, or closed without a decision.",
  "payment.refunded":
    "A refund of a payment link was paid back. That of an order is `order.refunded`.",
  "payout.paid": "A payout of a gateway reached the bank.",
  "payout.failed":
    "A payout did not reach the bank, or was sent back: what it had is in no payout.",
  "refund.failed":
    "A refund failed: its amount can be refunded again. Retry it, or give the money back another way and close it.",
  "refund.cancelled":
    "A refund that had failed, that waited to be handed back, or that no one approved in 14 days, was cancelled: it counts as nothing.",
  "refund.needs_attention":
    "A person has to see to a refund, as `reason` says: hand the money back (`by_hand`), help the gateway (`gateway`) or ask it (`no_outcome`), or get back what it paid too much (`paid_twice`).",
  "refund.excess_returned":
    "What a gateway had paid too much (`paid_twice`) came back to it: no one has to get it back.",
  "refund.approval_asked":
    "A refund above the limit of who asked for it waits for an approval; its amount is set aside. The customer is told nothing.",
  "refund.approved": "A refund that needed an approval was approved, and is sent.",
  "refund.declined":
    "A refund that needed an approval was declined: it counts as nothing. `close_note` may say why.",
  "inventory.low":
    "The available stock of a variant fell below its threshold. Sent at the crossing, not while it stays below.",
  "product.created": "A product was created.",
  "product.updated": "A product, a variant or a price was changed.",
  "product.archived": "A product was archived and is no longer sold; orders still show it.",
  "product.deleted": "A product that was never sold was deleted. Contains its last state.",
  "collection.created": "A collection was created.",
  "collection.updated":
    "A collection or its hand-picked products were changed. What only meets its rule now, or no longer, sends nothing.",
  "collection.deleted": "A collection was deleted. Contains its last state.",
  "discount.created": "A discount was created.",
  "discount.updated": "A discount was changed. Codes that are added or deleted send nothing.",
  "discount.archived": "A discount was archived and applies no more.",
  "discount.exhausted":
    "An order took the last use of a discount. Sent again if a cancelled order gave one back.",
  "customer.created": "A customer was created, also by an order that named a new one.",
  "customer.updated": "A customer was changed. A change of `orders_count` alone sends nothing.",
  "customer.deleted": "A customer was deleted or erased; delete the personal data that you stored.",
  "checkout.started": "The checkout of a cart was started.",
  "cart.abandoned": "A checkout was not completed, or an order not paid, within one hour.",
  "cart.recovered": "An abandoned checkout was taken up again or completed.",
  "webhook.disabled":
    "A webhook was disabled: by hand, after five days of failures, or by a 410; `reason` says why. Other webhooks receive this event.",
  "key.created": "An API key was created. Only webhooks that name this event receive it.",
  "key.revoked": "An API key was revoked. Only webhooks that name this event receive it.",
  "limit.reached":
    "A limit against abuse refused something of this kind for the first time in an hour. `GET /v2/waiting` and the dashboard's first page say from which networks.",
};
