// The routes of the counter: an order with its payment and its fulfillment, and what it would come to.

import { priceMissing, variantNotForSale } from "#catalog/products/sale.ts";
import { insufficientStock } from "#catalog/rows/inventory.ts";
import { customerExists } from "#customers/customer.ts";
import { getCustomerOfToken } from "#customers/sessions/lookups.ts";
import { customerSessionInvalid } from "#customers/sessions/session.ts";
import { previewSale, sellAtCounter } from "#payments/attempts/sell-at-counter.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { transactionSeen } from "#payments/rows/payment.ts";
import { type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";
import {
  discountNotApplicable,
  shippingRequired,
  shippingUnavailable,
} from "#pricing/quote/refusals.ts";
import { requireChargeScope } from "#pricing/shipping/schema.ts";
import { placedOrderWire, viewPlaced } from "#sales/orders/schema.ts";
import { type CodesPort, merchantVisit, visitOf } from "#sales/placing/order-request.ts";
import {
  contactProofRequired,
  placingBudgets,
  tooManyOpenOrders,
  tooManyOrders,
} from "#sales/placing/public-orders.ts";
import { externalIdTaken, totalChanged } from "#sales/rows/order.ts";
import { checkoutIncomplete } from "#sales/rows/requirements.ts";
import { noWayToPay, paymentMethodUnavailable } from "#shop/store/payment-methods.ts";

import {
  counterSaleSchema,
  orderPreviewWire,
  readCounterSale,
  viewOrderPreview,
} from "./counter-schema.ts";

/** The refusals of every caller's order. */
const orderRefusals = [
  insufficientStock,
  variantNotForSale,
  priceMissing,
  totalChanged,
  discountNotApplicable,
  shippingRequired,
  shippingUnavailable,
  externalIdTaken,
  customerExists,
  paymentMethodUnavailable,
  transactionSeen,
];

export const counterSaleRoutes: readonly Route<PaymentsShop & CodesPort>[] = [
  writeRoute({
    method: "POST",
    path: "/v2/orders",
    operationId: "createOrder",
    tag: "Orders",
    summary: "Create an order",
    description:
      "Reserves stock for every line. If any line is short, the order is refused and every short line is named. " +
      "With `paid` and `fulfilled`, the order is placed, paid and fulfilled in one transaction, as at a counter.",
    budgets: placingBudgets,
    audit: false,
    mayShare: true,
    scopes: ["orders:write", "orders:create"],
    body: counterSaleSchema,
    response: placedOrderWire,
    status: 201,
    location: (order) => `/v2/orders/${order.id}`,
    takesCustomer: true,
    refusals: [
      ...orderRefusals,
      checkoutIncomplete,
      noWayToPay,
      tooManyOpenOrders,
      contactProofRequired,
      tooManyOrders,
      customerSessionInvalid,
    ],
    handler: async (tx, { body, caller, customerToken, clientNetwork }, shop: CodesPort) => {
      await requireChargeScope(tx, caller, body);
      const signedIn = await getCustomerOfToken(tx, customerToken, tx.now);
      const sale = readCounterSale(body, caller, visitOf(shop, signedIn, clientNetwork));
      const { placed, changeMinor } = await sellAtCounter(tx, sale);
      const sent = signedIn === null ? body.customer : placed.order.customer;
      return { ...viewPlaced(placed, sent, caller), changeMinor };
    },
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/orders/preview",
    operationId: "previewOrder",
    tag: "Orders",
    summary: "Preview an order",
    description:
      "Takes the body of a new order and refuses what placing it would. Nothing is changed: the answer is what the order would come to. " +
      "To sell exactly that, send its `total` as `expected_total` with the order.",
    audit: false,
    scopes: ["orders:write"],
    body: counterSaleSchema,
    response: orderPreviewWire,
    takesCustomer: true,
    refusals: [...orderRefusals, customerSessionInvalid],
    handler: async (shop: PaymentsShop & CodesPort, { body, caller, customerToken, now }) => {
      const { database, findCodeKinds } = shop;
      const signedIn = await getCustomerOfToken(database.read, customerToken, now);
      const sale = readCounterSale(body, caller, { ...merchantVisit, signedIn, findCodeKinds });
      return viewOrderPreview(await previewSale(shop, sale));
    },
  }),
];
