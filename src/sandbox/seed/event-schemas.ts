// The declarations of all events of the shop, from the nouns that emit them.

import Type from "typebox";

import { inventoryEvents } from "#catalog/inventory/events.ts";
import { productEvents } from "#catalog/products/events.ts";
import { customerEvents } from "#customers/events.ts";
import type { EventName } from "#messaging/events/event.ts";
import { webhookEvents } from "#messaging/webhooks/endpoints/events.ts";
import { disputeEvents } from "#payments/disputes/events.ts";
import { paymentEvents } from "#payments/payments/events.ts";
import type { EventSchema } from "#platform/http/contract/event.ts";
import { discountEvents } from "#pricing/discounts/events.ts";
import { cartEvents } from "#sales/carts/events.ts";
import { orderEvents, unpaidOrderEvents } from "#sales/orders/events.ts";
import { returnEvents } from "#sales/returns/events.ts";
import { keyEvents } from "#shop/keys/events.ts";

const [cart, order] = [cartEvents["cart.abandoned"], unpaidOrderEvents["cart.abandoned"]];

/** Every event with its meaning and the schema of its `data`. An event without one does not compile. */
export const eventSchemas: Readonly<Record<EventName, EventSchema>> = {
  ...orderEvents,
  ...returnEvents,
  ...paymentEvents,
  ...disputeEvents,
  ...inventoryEvents,
  ...productEvents.schemas,
  ...discountEvents.schemas,
  ...customerEvents,
  ...cartEvents,
  "cart.abandoned": { ...cart, payload: Type.Union([cart.payload, order.payload]) },
  ...webhookEvents,
  ...keyEvents,
};
