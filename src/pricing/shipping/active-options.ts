// Lookup: every way in which the shop sends goods or has them fetched. It is remembered, so that a sale needs no
// statement for it.

import type { Reader } from "#platform/database/database.ts";
import { rememberedTerms } from "#shop/store/price-terms.ts";
import type { Store } from "#shop/store/store.ts";

import { findActiveLocations, findActiveRates, findPlaces } from "./queries.ts";
import type { ShippingOptionId } from "./shipping-charge.ts";

/** The zones, and the active rates and pickup locations, each oldest first. */
export const activeOptions = rememberedTerms(async (db) => ({
  zones: await findPlaces(db),
  rates: await findActiveRates(db),
  locations: await findActiveLocations(db),
}));

/** Returns true if the shop offers the option to any address. */
export async function isActiveOption(
  db: Reader,
  store: Pick<Store, "priceTermsVersion">,
  id: ShippingOptionId,
): Promise<boolean> {
  const { rates, locations } = await activeOptions(db, store, null);
  return rates.some((rate) => rate.id === id) || locations.some((location) => location.id === id);
}
