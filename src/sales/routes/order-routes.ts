// The routes of orders, and completing a cart, which answers an order. Creating one may take its payment and
// cancelling one may reduce its sale, so these are routes of payments.

import { priceMissing, variantNotForSale } from "#catalog/products/sale.ts";
import { insufficientStock } from "#catalog/rows/inventory.ts";
import {
  type Customer,
  customerErased,
  customerExists,
  customerNotFound,
} from "#customers/customer.ts";
import { getCustomerOfToken } from "#customers/sessions/lookups.ts";
import { customerSessionInvalid } from "#customers/sessions/session.ts";
import { staleVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { mapPage } from "#kernel/page.ts";
import { Refusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { AuditTerms } from "#platform/http/contract/audit-terms.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { walkedList } from "#platform/http/contract/refusals.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";
import { formerly } from "#platform/http/contract/ways.ts";
import {
  discountNotApplicable,
  shippingRequired,
  shippingUnavailable,
} from "#pricing/quote/refusals.ts";
import { getCartFor } from "#sales/carts/lookups.ts";
import {
  cancelFulfillment,
  fulfillmentNotFound,
  fulfillmentReturned,
  fulfillOrder,
  nothingToFulfill,
  orderRefunded,
  updateTracking,
} from "#sales/changing/fulfillments.ts";
import { updateOrder } from "#sales/changing/update-order.ts";
import { readCustomerTotals } from "#sales/history/customer-totals.ts";
import { listOrders } from "#sales/history/list-orders.ts";
import { orderLinkOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { getOrder, lockWholeOrder, readTimeline } from "#sales/orders/lookups.ts";
import {
  customerTotalsWire,
  orderQuerySchema,
  presentTimeline,
  readOrderQuery,
  readTimelineQuery,
  timelineQuerySchema,
  timelineSchema,
} from "#sales/orders/query-schema.ts";
import { type OrderView, orderWire, viewOrder, viewPlaced } from "#sales/orders/schema.ts";
import { completeCart } from "#sales/placing/complete-cart.ts";
import { type CodesPort, visitOf } from "#sales/placing/order-request.ts";
import {
  contactProofRequired,
  placingBudgets,
  tooManyOpenOrders,
  tooManyOrders,
} from "#sales/placing/public-orders.ts";
import { completionSchema, readCompletion } from "#sales/placing/request-schema.ts";
import {
  cartCompleted,
  cartEmpty,
  cartExpired,
  cartForbids,
  cartNotFound,
  contactOf,
} from "#sales/rows/cart.ts";
import {
  externalIdTaken,
  invalidTransition,
  orderNotFound,
  totalChanged,
  type WholeOrder,
} from "#sales/rows/order.ts";
import { checkoutIncomplete } from "#sales/rows/requirements.ts";
import { noWayToPay, paymentMethodUnavailable } from "#shop/store/payment-methods.ts";

import {
  fulfillmentCancellationSchema,
  fulfillmentRequestSchema,
  orderChangeSchema,
  readFulfillment,
  readOrderChange,
  readTracking,
  trackingRequestSchema,
} from "./request-schema.ts";

/** Each order as it was viewed last: an order that is read again is the same object, and its text is made once. */
const viewed = new WeakMap<WholeOrder, { readonly terms: LinkTerms; readonly view: OrderView }>();

/** The same as `viewOrder`, and the same object as before for the same order and terms. */
function viewKnownOrder(given: WholeOrder, terms: LinkTerms): OrderView {
  const last = viewed.get(given);
  if (last?.terms === terms) return last.view;
  const view = viewOrder(given, terms);
  viewed.set(given, { terms, view });
  return view;
}

const params = { id: pathId("order", orderNotFound) };
const fulfillmentParams = {
  ...params,
  fulfillment_id: pathId("fulfillment", fulfillmentNotFound),
};

const auditedOrder: AuditTerms<{ readonly id: Id<"order"> }> = {
  before: async (tx, { id }) =>
    orderWire.present(viewOrder(await lockWholeOrder(tx, id), await getLinkTerms(tx))),
};
const customer = { id: pathId("customer", customerNotFound) };
const cart = { id: pathId("cart", cartNotFound) };
const tag = "Orders";

/** The refusal of a cart that is an order, with the link that completing it answered this caller, or would have. */
async function orderedBefore(
  tx: Tx,
  id: Id<"cart">,
  { caller, signedIn }: { readonly caller: Caller; readonly signedIn: Customer | null },
): Promise<Refusal> {
  const visitor = { signedIn, isPublic: caller.isPublic };
  const { cart: completed } = await getCartFor(tx, id, { visitor, atMs: tx.now });
  const { orderId } = completed;
  if (orderId === null) return cartForbids(completed);
  const [whole, linkTerms] = [await getOrder(tx, orderId), await getLinkTerms(tx)];
  const placed = { ...whole, linkTerms, link: orderLinkOf(linkTerms, whole.order) };
  const { statusUrl } = viewPlaced(placed, contactOf(completed), caller);
  return cartCompleted({ members: { order_id: orderId, status_url: statusUrl } });
}

export const orderRoutes: readonly Route<Shop & CodesPort>[] = [
  listRoute({
    method: "GET",
    path: "/v2/orders",
    operationId: "listOrders",
    tag,
    summary: "List orders, newest first",
    scopes: ["orders:read"],
    query: orderQuerySchema,
    response: orderWire,
    ...walkedList,
    handler: async (db, { query, page }) => {
      const terms = await getLinkTerms(db);
      return mapPage(await listOrders(db, readOrderQuery(query), page), (one) =>
        viewOrder(one, terms),
      );
    },
  }),
  readRoute({
    method: "GET",
    path: "/v2/orders/{id}",
    operationId: "retrieveOrder",
    tag,
    summary: "Retrieve an order",
    scopes: ["orders:read"],
    params,
    response: orderWire,
    keepsRows: true,
    handler: async (db, { params: { id } }) =>
      viewKnownOrder(await getOrder(db, id), await getLinkTerms(db)),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/orders/{id}",
    operationId: "updateOrder",
    tag,
    summary: "Update an order",
    description:
      "Replaces the fields that are given. `customer` changes the customer of this order only, not their record. Line items and shipping can change while nothing is paid or shipped, no unit is cancelled and no payment attempt is open.",
    audit: auditedOrder,
    scopes: ["orders:write"],
    params,
    body: orderChangeSchema,
    response: orderWire,
    refusals: [
      staleVersion,
      invalidTransition,
      insufficientStock,
      variantNotForSale,
      priceMissing,
      shippingUnavailable,
      customerErased,
    ],
    handler: async (tx, { params: { id }, body, ifMatch: expected }) =>
      viewOrder(
        await updateOrder(tx, id, { change: readOrderChange(body), expected }),
        await getLinkTerms(tx),
      ),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/orders/{id}/fulfill",
    also: [formerly("PUT", "/v2/orders/{id}/fulfill", { instead: "Use `POST`." })],
    operationId: "fulfillOrder",
    tag,
    summary: "Fulfill an order, in whole or in part",
    scopes: ["orders:write"],
    params,
    body: fulfillmentRequestSchema,
    response: orderWire,
    refusals: [staleVersion, invalidTransition, insufficientStock, nothingToFulfill, orderRefunded],
    handler: async (tx, { params: { id }, body, ifMatch: expected }) =>
      viewOrder(
        await fulfillOrder(tx, id, { request: readFulfillment(body), expected }),
        await getLinkTerms(tx),
      ),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/orders/{id}/fulfillments/{fulfillment_id}",
    operationId: "updateFulfillment",
    tag,
    summary: "Update the tracking and metadata of a fulfillment",
    audit: { subject: async (_, { id }) => id },
    scopes: ["orders:write"],
    params: fulfillmentParams,
    body: trackingRequestSchema,
    response: orderWire,
    refusals: [staleVersion, invalidTransition],
    handler: async (
      tx,
      { params: { id, fulfillment_id: fulfillmentId }, body, ifMatch: expected },
    ) =>
      viewOrder(
        await updateTracking(tx, id, {
          fulfillmentId,
          tracking: readTracking(body.tracking),
          metadata: body.metadata,
          expected,
        }),
        await getLinkTerms(tx),
      ),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/orders/{id}/fulfillments/{fulfillment_id}/cancel",
    operationId: "cancelFulfillment",
    tag,
    summary: "Cancel a fulfillment that was recorded by mistake",
    description:
      "Nothing was sent: the units are open and reserved again, and those of tracked variants are on hand. What was sold and paid stays. The email about the shipment is not sent if the fulfillment is cancelled within 10 seconds.",
    audit: { subject: async (_, { id }) => id },
    scopes: ["orders:write"],
    params: fulfillmentParams,
    body: fulfillmentCancellationSchema,
    response: orderWire,
    refusals: [staleVersion, invalidTransition, fulfillmentReturned],
    handler: async (
      tx,
      { params: { id, fulfillment_id: fulfillmentId }, body, ifMatch: expected },
    ) =>
      viewOrder(
        await cancelFulfillment(tx, id, { fulfillmentId, note: body.note ?? null, expected }),
        await getLinkTerms(tx),
      ),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/carts/{id}/complete",
    operationId: "completeCart",
    tag: "Carts",
    summary: "Complete a cart and place its order",
    description:
      "The order is placed at current prices and stock. If a line cannot be sold, the cart stays unchanged and the error points at the line.",
    budgets: placingBudgets,
    audit: false,
    scopes: ["carts:write", "carts:use"],
    params: cart,
    body: completionSchema,
    response: orderWire,
    status: 201,
    location: (order) => `/v2/orders/${order.id}`,
    takesCustomer: true,
    refusals: [
      staleVersion,
      cartCompleted,
      cartEmpty,
      cartExpired,
      insufficientStock,
      variantNotForSale,
      priceMissing,
      externalIdTaken,
      totalChanged,
      discountNotApplicable,
      checkoutIncomplete,
      shippingRequired,
      shippingUnavailable,
      customerExists,
      paymentMethodUnavailable,
      noWayToPay,
      tooManyOpenOrders,
      contactProofRequired,
      tooManyOrders,
      customerSessionInvalid,
    ],
    handler: async (
      tx,
      { params: { id }, body, caller, customerToken, clientNetwork, ifMatch: expected },
      shop: CodesPort,
    ) => {
      const signedIn = await getCustomerOfToken(tx, customerToken, tx.now);
      try {
        const completion = readCompletion(body, caller, visitOf(shop, signedIn, clientNetwork));
        const { placed, contact } = await completeCart(tx, id, { completion, expected });
        return viewPlaced(placed, signedIn === null ? contact : placed.order.customer, caller);
      } catch (error) {
        if (!(error instanceof Refusal) || error.definition !== cartCompleted) throw error;
        throw await orderedBefore(tx, id, { caller, signedIn });
      }
    },
  }),
  readRoute({
    method: "GET",
    path: "/v2/orders/{id}/events",
    operationId: "listOrderEvents",
    tag,
    summary: "List the events of an order, oldest first",
    scopes: ["orders:read"],
    params,
    query: timelineQuerySchema,
    response: timelineSchema,
    handler: async (db, { params: { id }, query }) =>
      presentTimeline(await readTimeline(db, id, readTimelineQuery(query))),
  }),
  readRoute({
    method: "GET",
    path: "/v2/customers/{id}/totals",
    operationId: "retrieveCustomerTotals",
    tag: "Customers",
    summary: "Retrieve what a customer has spent",
    description:
      "What was paid for the customer's orders and what was refunded, summed when it is asked for, in each currency by itself.",
    scopes: ["orders:read"],
    params: customer,
    response: customerTotalsWire,
    handler: (db, { params: { id } }) => readCustomerTotals(db, id),
  }),
];
