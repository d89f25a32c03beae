// The route of what a storefront has to know of its shop before it shows anything.

import { listPriceCurrencies } from "#catalog/facets/lookups.ts";
import { offeredMethods } from "#payments/gateways/offered-methods.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { type Route, workflowRoute } from "#platform/http/contract/route.ts";
import { findDestinations, hasPickup } from "#pricing/shipping/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";

import { storefrontWire } from "./storefront-schema.ts";

export const storefrontRoutes: readonly Route<PaymentsShop>[] = [
  workflowRoute({
    method: "GET",
    path: "/v2/storefront",
    operationId: "retrieveStorefront",
    tag: "Store",
    summary: "Retrieve what a storefront shows of the shop",
    description:
      "In one answer what the pages of a storefront need: name, currencies, where the shop ships to, the ways to pay in its own currency, and what a customer must say. Ask for it once a minute at most; with `If-None-Match` the answer is 304 while nothing changed.",
    scopes: ["catalog:read"],
    response: storefrontWire,
    edge: "read",
    handler: async ({ database: { read }, gateways, mode }, { caller: { isPublic } }) => {
      const store = await getStore(read);
      const payment = { currency: store.currency, amountMinor: null, isPublic, mode };
      const priced = await listPriceCurrencies(read);
      return {
        ...store,
        mode,
        currencies: [...new Set([store.currency, ...priced])],
        destinations: await findDestinations(read),
        hasPickup: await hasPickup(read),
        methods: offeredMethods(store, gateways, payment),
      };
    },
  }),
];
