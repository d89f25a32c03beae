// The route of what a storefront has to know of its shop before it shows anything.

import Type from "typebox";

import { listPriceCurrencies } from "#catalog/facets/lookups.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { type OfferedMethod, offeredMethods } from "#payments/gateways/offered-methods.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import type { Mode } from "#platform/database/shop.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { type Route, workflowRoute } from "#platform/http/contract/route.ts";
import { from, list, shape, wire } from "#platform/http/contract/wire.ts";
import { currency, nullable, whole } from "#platform/http/contract/words.ts";
import { findDestinations, hasPickup } from "#pricing/shipping/lookups.ts";
import { modeChoice } from "#shop/keys/schema.ts";
import { checkoutShape } from "#shop/settings/schema.ts";
import type { Branding } from "#shop/store/branding.ts";
import { checkoutOf } from "#shop/store/checkout.ts";
import { getStore } from "#shop/store/lookups.ts";
import type { Store } from "#shop/store/store.ts";

import { methodShape } from "./gateway-schema.ts";

interface StorefrontView extends Store {
  readonly mode: Mode;
  readonly currencies: readonly CurrencyCode[];
  readonly destinations: readonly string[] | null;
  readonly hasPickup: boolean;
  readonly methods: readonly OfferedMethod[];
}

const textOrNull = nullable(Type.String());

const lookShape = shape<Branding>()(
  publicFields({
    logo: from((look: Branding) => look.logoUrl, textOrNull),
    color: from((look: Branding) => look.brandColor, textOrNull),
  }),
);

const contactShape = shape<Branding>()(
  publicFields({
    email: from((look: Branding) => look.contactEmail, textOrNull),
    phone: from((look: Branding) => look.contactPhone, textOrNull),
    website: from((look: Branding) => look.websiteUrl, textOrNull),
    support_line: textOrNull,
  }),
);

const storefrontWire = wire<StorefrontView>()(
  "Storefront",
  publicFields({
    name: Type.String(),
    mode: modeChoice,
    locale: textOrNull,
    timezone: Type.String(),
    country: textOrNull,
    currency,
    currencies: Type.Array(currency, {
      description: "The currencies in which products have prices, with that of the store.",
    }),
    ships_to: from(
      (shop: StorefrontView) => shop.destinations,
      nullable(
        Type.Array(Type.String(), {
          description: "The countries of the shipping zones; null means everywhere.",
        }),
      ),
    ),
    pickup: from(
      (shop: StorefrontView) => shop.hasPickup,
      Type.Boolean({ description: "Whether customers can fetch their goods." }),
    ),
    payment_methods: from((shop: StorefrontView) => shop.methods, list(methodShape)),
    checkout: from(checkoutOf, checkoutShape),
    prices_include_tax: Type.Boolean(),
    look: from((shop: StorefrontView) => shop, lookShape),
    contact: from((shop: StorefrontView) => shop, contactShape),
    version: whole(1),
  }),
);

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
