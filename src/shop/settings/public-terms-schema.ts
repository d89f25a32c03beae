// The terms of publishable keys, on the wire: their bounds, and how long caches keep what they are told.

import Type, { type Static } from "typebox";

import type { WholeChange } from "#kernel/change.ts";
import { added, from, shape } from "#platform/http/contract/wire.ts";
import { nullable, object, optional, whole } from "#platform/http/contract/words.ts";
import { type PublicLimits, publicLimitsOf } from "#shop/store/public-limits.ts";

import type { StoreChange } from "./update-store.ts";

const unitsPerVariant = whole(1, 1_000_000, {
  description: "Units of a variant in one order of a publishable key.",
});
const strangersPercent = whole(1, 100, {
  description:
    "The part, in percent, of a variant's units in stock that unpaid orders of publishable keys hold together, where no customer with a verified contact is signed in; `units_per_variant` at least. 100 means no bound.",
});
const openOrdersPerContact = whole(1, 1_000, {
  description:
    "Open unpaid orders of one customer, found by email or phone, that publishable keys placed.",
});
const codesPerDay = (contacts: string) =>
  whole(0, 1_000_000, {
    description: `Codes to ${contacts} that the shop sends in 24 hours, with any key. Others are not sent, and are answered alike. The last fifth is for contacts that a customer has verified.`,
  });
const emailCodesPerDay = codesPerDay("emails");
const phoneCodesPerDay = codesPerDay("phones");
const limitsShape = shape<PublicLimits>()(
  {
    units_per_variant: unitsPerVariant,
    strangers_percent: strangersPercent,
    open_orders_per_contact: openOrdersPerContact,
    email_codes_per_day: emailCodesPerDay,
    phone_codes_per_day: phoneCodesPerDay,
  },
  {
    description:
      "The bounds of orders that publishable keys place, and of codes that customers sign in with.",
  },
);
const enforceLimits = Type.Boolean({
  description:
    "Whether the bounds of publishable keys on addresses, contacts, units and prompts hold in test mode. In live mode they always hold.",
});

/** Five minutes: a price that a customer sees is hardly older. */
const CACHE_SECONDS_MAX = 300;
const storefrontCacheSeconds = nullable(
  whole(0, CACHE_SECONDS_MAX, {
    description:
      "How many seconds browsers and caches may keep what publishable keys are told of the catalog. Null means 10 in live mode and 0 in test mode; with 0 nothing is kept.",
  }),
);

/** The fields of these terms in answers, to be spread into the settings. */
export const publicTermFields = {
  limits: from(publicLimitsOf, limitsShape),
  enforce_limits: enforceLimits,
  storefront_cache_seconds: added(storefrontCacheSeconds),
};

/** The same in requests. */
export const publicTermChangeFields = {
  limits: optional(
    object(
      {
        units_per_variant: optional(nullable(unitsPerVariant)),
        strangers_percent: optional(nullable(strangersPercent)),
        open_orders_per_contact: optional(nullable(openOrdersPerContact)),
        email_codes_per_day: optional(nullable(emailCodesPerDay)),
        phone_codes_per_day: optional(nullable(phoneCodesPerDay)),
      },
      { description: "Replaces the bounds that are given. Null restores the default of one." },
    ),
  ),
  enforce_limits: optional(enforceLimits),
  storefront_cache_seconds: optional(storefrontCacheSeconds),
};

const publicTermsChangeSchema = Type.Object(publicTermChangeFields);
type Given = Static<typeof publicTermsChangeSchema>;

/** Reads a change of these terms from a request body. */
export function readPublicTermsChange(
  body: Given,
): WholeChange<Pick<StoreChange, "limits" | "enforceLimits" | "storefrontCacheSeconds">> {
  return {
    limits: readLimits(body.limits),
    enforceLimits: body.enforce_limits,
    storefrontCacheSeconds: body.storefront_cache_seconds,
  };
}

function readLimits(given: Given["limits"]): StoreChange["limits"] {
  if (given === undefined) return undefined;
  return {
    unitsPerVariant: given.units_per_variant,
    strangersPercent: given.strangers_percent,
    openOrdersPerContact: given.open_orders_per_contact,
    emailCodesPerDay: given.email_codes_per_day,
    phoneCodesPerDay: given.phone_codes_per_day,
  };
}
