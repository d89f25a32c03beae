// The shop as a storefront has to know it, on the wire.

import Type from "typebox";

import type { CurrencyCode } from "#kernel/currency.ts";
import type { OfferedMethod } from "#payments/gateways/offered-methods.ts";
import type { Mode } from "#platform/database/shop.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { from, list, shape, wire } from "#platform/http/contract/wire.ts";
import { currency, nullable, whole } from "#platform/http/contract/words.ts";
import { modeChoice } from "#shop/keys/schema.ts";
import { checkoutShape } from "#shop/settings/schema.ts";
import type { Branding } from "#shop/store/branding.ts";
import { checkoutOf } from "#shop/store/checkout.ts";
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

export const storefrontWire = wire<StorefrontView>()(
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
