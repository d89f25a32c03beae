// What each event means, in one sentence for subscribers.

import type { EventName } from "./event.ts";

/** In the order in which they are listed. */
export const eventMeanings: Readonly<Record<EventName, string>> = {
  "order.placed": "An order was created and its stock reserved, from any channel.",
  "order.paid": "An order is paid in full. Sent once per order.",
  "order.fulfilled": "The last open unit of an order was shipped.",
  "order.cancelled": "An order was cancelled; its stock is released.",
  "order.updated": "An order was changed, or a part of it was shipped or cancelled.",
  "order.refunded": "Money of an order was given back.",
  "order.returned": "Shipped units of an order came back.",
  "payment.initialized": "A payment attempt was created.",
  "payment.succeeded": "A payment was captured.",
  "payment.failed": "A payment attempt failed or was declined.",
  "payment.review": "Money came that does not match the payment; accept or refund it.",
  "payment.corrected": "The amount of a payment that was confirmed by hand was corrected.",
  "payment.disputed":
    "A customer's bank asks for the money of a payment back; answer it at the gateway.",
  "payment.dispute_closed": "A dispute was won, lost, or closed without a decision.",
  "refund.failed": "A refund failed; retry it, or give the money back another way and close it.",
  "refund.cancelled": "A refund that failed, or that waited to be handed back, was cancelled.",
  "refund.needs_attention":
    "A person has to see to a refund; `reason` says why, for example money to hand back.",
  "inventory.low": "The available stock of a variant fell below its threshold.",
  "product.created": "A product was created.",
  "product.updated": "A product or one of its variants was changed.",
  "product.archived": "A product is no longer for sale; orders still show it.",
  "product.deleted": "A product that was never sold was deleted.",
  "discount.created": "A discount was created.",
  "discount.updated": "A discount was changed.",
  "discount.archived": "A discount was archived and applies no more.",
  "discount.exhausted": "An order took the last use of a discount.",
  "customer.created": "A customer was created, also by an order that named a new one.",
  "customer.updated": "A customer was changed.",
  "customer.deleted": "A customer was deleted or erased; delete what you keep of their data.",
  "checkout.started": "The checkout of a cart was started.",
  "cart.abandoned": "A checkout was not completed, or an order not paid, within one hour.",
  "cart.recovered": "An abandoned checkout was taken up again or completed.",
  "webhook.disabled":
    "A webhook was disabled: by hand, after five days of failures, or by a 410; `reason` says why.",
  "key.created": "An API key was created. Only webhooks that name this event receive it.",
  "key.revoked": "An API key was revoked. Only webhooks that name this event receive it.",
};
