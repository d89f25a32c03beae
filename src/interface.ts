// The public interface: the routes of all nouns, every refusal that they may make, and the document that
// describes them.

import { hookRoutes } from "#accounts/hook/routes.ts";
import { accountRoutes } from "#accounts/routes.ts";
import { analyticsRoutes } from "#analytics/summary/routes.ts";
import { bookRoutes } from "#books/routes.ts";
import { collectionRoutes } from "#catalog/routes/collection-routes.ts";
import { facetRoutes } from "#catalog/routes/facet-routes.ts";
import { inventoryRoutes } from "#catalog/routes/inventory-routes.ts";
import { mediaRoutes } from "#catalog/routes/media-routes.ts";
import { productRoutes } from "#catalog/routes/product-routes.ts";
import { checkRoutes } from "#checks/routes.ts";
import { customerRoutes } from "#customers/routes.ts";
import { emailRoutes } from "#emails/routes.ts";
import { emailStatus } from "#emails/schema.ts";
import type { CommandUsage, GuideFacts } from "#guides/fill-guide.ts";
import type { RefusalDefinition } from "#kernel/refusal.ts";
import { eventMeanings, eventNames } from "#messaging/events/event.ts";
import { eventRoutes } from "#messaging/events/routes.ts";
import { eventWire } from "#messaging/events/schema.ts";
import { deliveryRoutes } from "#messaging/webhooks/deliveries/routes.ts";
import { deliveryStatus, PING, pingSchema } from "#messaging/webhooks/deliveries/schema.ts";
import { webhookRoutes } from "#messaging/webhooks/endpoints/routes.ts";
import { counterSaleRoutes } from "#payments/routes/counter-routes.ts";
import { customGatewayRoutes } from "#payments/routes/custom-gateway-routes.ts";
import { disputeRoutes } from "#payments/routes/dispute-routes.ts";
import { gatewayRoutes } from "#payments/routes/gateway-routes.ts";
import { creditRoutes, previewRoutes } from "#payments/routes/order-routes.ts";
import { paymentRoutes, receivingAccountRoutes } from "#payments/routes/payment-routes.ts";
import { payoutRoutes } from "#payments/routes/payout-routes.ts";
import { refundRoutes } from "#payments/routes/refund-routes.ts";
import { storefrontRoutes } from "#payments/routes/storefront-routes.ts";
import { payoutStatus } from "#payments/rows/payout-schema.ts";
import { disputeStatus, paymentStatus, refundStatus } from "#payments/rows/word-schema.ts";
import { methodNotAllowed, routeNotFound, wrongHost } from "#platform/http/contract/refusals.ts";
import type { Route } from "#platform/http/contract/route.ts";
import type { OpenApiDocument } from "#platform/http/openapi/docs.ts";
import type { EventSchema } from "#platform/http/openapi/events.ts";
import examples from "#platform/http/openapi/examples.json" with { type: "json" };
import { guide, openApiDocument } from "#platform/http/openapi/openapi.ts";
import { refusalsOf } from "#platform/http/openapi/refused.ts";
import { release } from "#platform/process/version.ts";
import { discountRoutes } from "#pricing/discounts/routes.ts";
import { pickupLocations } from "#pricing/shipping/pickup-location-schema.ts";
import { shippingRates } from "#pricing/shipping/rate-schema.ts";
import { shippingZones } from "#pricing/shipping/zone-schema.ts";
import { privacyRoutes } from "#privacy/routes.ts";
import { cartStatus } from "#sales/carts/schema.ts";
import { fulfillmentStatus, orderPaymentStatus, orderStatus } from "#sales/orders/schema.ts";
import { cartRoutes } from "#sales/routes/cart-routes.ts";
import { orderRoutes } from "#sales/routes/order-routes.ts";
import { returnRoutes } from "#sales/routes/return-routes.ts";
import { sandboxRoutes } from "#sandbox/routes.ts";
import { magicRoutes } from "#sandbox/simulated-gateway/magic-routes.ts";
import { eventPayloads } from "#sandbox/trigger/event-payloads.ts";
import { auditRoutes } from "#shop/entries/routes.ts";
import { keyRoutes } from "#shop/keys/routes.ts";
import { isPublishable } from "#shop/keys/scopes.ts";
import { requestRoutes } from "#shop/requests/routes.ts";
import { storeRoutes } from "#shop/settings/routes.ts";
import { taxRoutes } from "#shop/taxes/routes.ts";
import { waitingRoutes } from "#waiting/routes.ts";

import { alsoForget } from "./also-forget.ts";
import type { OpenShop } from "./open-shops.ts";
import vocabulary from "./vocabulary.json" with { type: "json" };

/** Every route of the API, in the order of the documentation. */
export const routes: readonly Route<OpenShop>[] = [
  ...productRoutes,
  ...collectionRoutes,
  ...facetRoutes,
  ...mediaRoutes,
  ...inventoryRoutes,
  ...discountRoutes,
  ...customerRoutes,
  ...shippingZones.routes,
  ...shippingRates.routes,
  ...pickupLocations.routes,
  ...cartRoutes,
  ...counterSaleRoutes,
  ...orderRoutes,
  ...creditRoutes,
  ...returnRoutes,
  ...gatewayRoutes,
  ...storefrontRoutes,
  ...paymentRoutes,
  ...bookRoutes,
  ...refundRoutes,
  ...previewRoutes,
  ...disputeRoutes,
  ...payoutRoutes,
  ...emailRoutes,
  ...privacyRoutes(alsoForget),
  ...accountRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...analyticsRoutes,
  ...waitingRoutes,
  ...checkRoutes,
  ...storeRoutes,
  ...receivingAccountRoutes,
  ...hookRoutes,
  ...taxRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...requestRoutes,
  ...sandboxRoutes,
  ...magicRoutes,
];

/**
 * Routes of people alone, which pages of the dashboard ask: no key can have their scope, so that the document, which is
 * for programs, does not have them.
 */
export const peopleRoutes: readonly Route<OpenShop>[] = customGatewayRoutes;

/** The words about the operations of a tag. A tag without a description is a failed test. */
const tags: Readonly<Record<string, string>> = {
  Products: "The catalog: products, their variants and prices.",
  Collections: "Groups of products: those that a rule finds, or that were picked by hand.",
  Media: "Pictures that were uploaded, which products show.",
  Inventory: "Stock on hand and reserved, per variant, and the movements that explain it.",
  Discounts: "What is taken off a price: by itself, or for a code. Limits are counted per order.",
  Customers: "The people and companies that buy, found by email or phone.",
  Shipping:
    "Where the shop ships to, what it asks for, and where customers fetch goods themselves.",
  Carts: "What a customer is about to buy. A cart reserves no stock and is completed as an order.",
  Orders: "Sales, from the reservation of stock to fulfillment, cancellation and refund.",
  Payments: "Attempts to pay an order or a payment link, and the refunds of what was paid.",
  Refunds: "The worklist of refunds: what failed, what waits for a person, and how either ends.",
  Payouts: "What gateways paid out to the bank, line by line.",
  Books: "What is booked on which day: the balance of each account, and its entries.",
  Disputes: "What customers' banks ask back. A dispute is answered at its gateway.",
  Emails: "What the shop wrote to customers about their orders, and what became of it.",
  "Customer sessions": "How customers sign in: with a code, or by the word of the shop.",
  Me: "What a customer who is signed in reads and changes, by the header `Customer-Token`.",
  Events: "The log of everything that happened in the shop, in order and without gaps.",
  Webhooks: "Endpoints that receive events, and every delivery to them.",
  Analytics: "Sales, customers, carts and payments of a period, in one report.",
  Waiting: "What waits for the merchant, in one answer: the worklist of a shop's day.",
  Checklist: "What the shop and its server lack, and where that is done.",
  Store: "The settings of the shop.",
  Taxes: "Tax rates by country, region and class, each with the time in which it holds.",
  Keys: "API keys and their scopes.",
  Audit: "Who did what, and when.",
  Requests: "What programs sent lately, and what they were answered.",
  Sandbox: "Tools of test mode: a clock to move, an inbox for webhooks, sample data and events.",
};

export const tagNames: readonly string[] = Object.keys(tags);

/** The OpenAPI document of this program. `url` is where the server is reached. */
export function document(url = "/"): OpenApiDocument {
  return openApiDocument({
    info: {
      title: "Duka",
      description: guide,
      version: release,
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Duka contributors" },
    },
    url,
    tags,
    routes,
    isPublic: isPublishable,
    events: {
      envelope: eventWire.schema,
      schemas: eventSchemas(),
      messages: { [PING]: pingSchema },
    },
    examples,
    vocabulary,
  });
}

/** Each event with its meaning, and the payload that its noun declared. */
function eventSchemas(): Record<string, EventSchema> {
  return Object.fromEntries(
    eventNames.map((name) => [
      name,
      { description: eventMeanings[name], payload: eventPayloads[name] },
    ]),
  );
}

/** Every status that the guide of states explains, in its order. */
const lives = [
  cartStatus,
  orderStatus,
  orderPaymentStatus,
  fulfillmentStatus,
  paymentStatus,
  refundStatus,
  disputeStatus,
  payoutStatus,
  deliveryStatus,
  emailStatus,
];

/** Every refusal that any route may make, without duplicates. */
export function refusals(): RefusalDefinition[] {
  const everywhere = [routeNotFound, methodNotAllowed, wrongHost];
  const all = [...routes, ...peopleRoutes];
  return [...new Set([...everywhere, ...all.flatMap(refusalsOf)])].toSorted((one, other) =>
    one.code < other.code ? -1 : 1,
  );
}

/** The lists of the guides that they do not know themselves. */
export function guideFacts(commands: readonly CommandUsage[]): GuideFacts {
  return { commands, refusals: refusals(), lives };
}
