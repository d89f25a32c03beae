// The payloads of all events of the shop, from the nouns that emit them.

import Type, { type TSchema } from "typebox";

import { collectionEvents } from "#catalog/collections/events.ts";
import { inventoryEvents } from "#catalog/inventory/events.ts";
import { productEvents } from "#catalog/products/events.ts";
import { customerEvents } from "#customers/events.ts";
import type { EventName } from "#messaging/events/event.ts";
import { webhookEvents } from "#messaging/webhooks/endpoints/events.ts";
import { payoutEvents } from "#payments/payouts/events.ts";
import { disputeEvents, paymentEvents } from "#payments/rows/events.ts";
import { discountEvents } from "#pricing/discounts/events.ts";
import { cartEvents } from "#sales/carts/events.ts";
import { orderEvents, returnEvents, unpaidOrderEvents } from "#sales/orders/events.ts";
import { keyEvents } from "#shop/keys/events.ts";
import { limitEvents } from "#shop/marks/events.ts";

const [cart, order] = [cartEvents["cart.abandoned"], unpaidOrderEvents["cart.abandoned"]];

/** The schema of the `data` of every event. An event without one does not compile. */
export const eventPayloads: Readonly<Record<EventName, TSchema>> = {
  ...orderEvents,
  ...returnEvents,
  ...paymentEvents,
  ...disputeEvents,
  ...payoutEvents,
  ...inventoryEvents,
  ...productEvents.payloads,
  ...collectionEvents.payloads,
  ...discountEvents.payloads,
  ...customerEvents,
  ...cartEvents,
  "cart.abandoned": Type.Union([cart, order]),
  ...webhookEvents,
  ...keyEvents,
  ...limitEvents,
};
