// The routes of what a customer may choose from, and of what stands behind it.

import { listGateways } from "#payments/gateways/known-gateways.ts";
import { offeredMethods } from "#payments/gateways/offered-methods.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { type Route, workflowRoute } from "#platform/http/contract/route.ts";
import { getStore } from "#shop/store/lookups.ts";

import {
  gatewaysWire,
  paymentMethodQuerySchema,
  paymentMethodsWire,
  readPaymentToOffer,
} from "./gateway-schema.ts";

const tag = "Payments";

export const gatewayRoutes: readonly Route<PaymentsShop>[] = [
  workflowRoute({
    method: "GET",
    path: "/v2/payment-methods",
    operationId: "retrievePaymentMethods",
    tag,
    summary: "Retrieve the ways to pay that the shop offers",
    description:
      "What a checkout lists: orders are placed and payments begin in these methods. `currency` is the store's if it is not given. A publishable key is not told methods with `storefront` false.",
    scopes: ["payments:read", "payments:use"],
    query: paymentMethodQuerySchema,
    response: paymentMethodsWire,
    handler: async ({ database, gateways, mode }, { query, caller: { isPublic } }) => {
      const store = await getStore(database.read);
      const payment = readPaymentToOffer(query, { isPublic, mode, currency: store.currency });
      return { currency: payment.currency, methods: offeredMethods(store, gateways, payment) };
    },
  }),
  workflowRoute({
    method: "GET",
    path: "/v2/gateways",
    operationId: "retrieveGateways",
    tag,
    summary: "Retrieve the gateways of the shop and what they take",
    description:
      "Those of Duka and those of the shop's own, in the order in which they are asked; at the end those whose adapter has not described itself.",
    scopes: ["store:read"],
    response: gatewaysWire,
    handler: async ({ database, gateways }: PaymentsShop) => ({
      gateways: await listGateways(database.read, gateways),
    }),
  }),
];
