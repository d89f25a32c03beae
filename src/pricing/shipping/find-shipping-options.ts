// Lookup: the ways in which a shop sends goods to an address, or has them fetched. All of them are remembered, so that a
// sale needs no statement for them.

import type { Address } from "#kernel/address.ts";
import type { AreaOfAddress } from "#kernel/area.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { rememberedTerms } from "#shop/store/price-terms.ts";
import type { Store } from "#shop/store/store.ts";

import { amountIn } from "./amounts.ts";
import { findActiveLocations, findActiveRates, findPlaces } from "./queries.ts";
import { type OptionPricing, pricingOf, type ShippingRate } from "./rate.ts";
import type { ShippingOptionId } from "./shipping-charge.ts";
import type { PickupLocationRow } from "./tables.ts";
import { zoneOf } from "./zone.ts";

/** The zones, and the active rates and pickup locations, each oldest first. */
const activeOptions = rememberedTerms(async (db) => ({
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

/** A way to get the goods, with its price list: what it costs depends on the goods. */
export interface OfferedOption {
  readonly id: Id<"shippingRate"> | Id<"pickupLocation">;
  readonly kind: "rate" | "pickup";
  readonly label: string;
  /** The instructions of a pickup location. */
  readonly description: string | null;
  readonly pricing: OptionPricing;
  readonly minDays: number | null;
  readonly maxDays: number | null;
  /** The address at which the goods are fetched; null for a rate. */
  readonly address: Address | null;
}

interface ShippingQuestion {
  /** Null, or without a country: only pickup is offered. */
  readonly address: AreaOfAddress | null;
  readonly currency: CurrencyCode;
}

interface ShippingOffer {
  /**
   * The active rates of the address's zone, then the active pickup locations, each oldest first. An option without an
   * amount in the currency is left out.
   */
  readonly options: readonly OfferedOption[];
  /** True if the shop says where it ships to: what it ships must then be shipped by one of its options. */
  readonly hasZones: boolean;
}

/** The options that the shop offers for the address. */
export async function findShippingOptions(
  db: Reader,
  store: Pick<Store, "priceTermsVersion">,
  { address, currency }: ShippingQuestion,
): Promise<ShippingOffer> {
  const { zones, rates, locations } = await activeOptions(db, store, null);
  const zone = address === null ? null : zoneOf(zones, address);
  const options: OfferedOption[] = [];
  for (const rate of rates) {
    const option = rate.zoneId === zone?.id ? ofRate(rate, currency) : null;
    if (option !== null) options.push(option);
  }
  for (const location of locations) {
    const option = ofLocation(location, currency);
    if (option !== null) options.push(option);
  }
  return { options, hasZones: zones.length > 0 };
}

function ofRate(rate: ShippingRate, currency: CurrencyCode): OfferedOption | null {
  const pricing = pricingOf(rate, currency);
  if (pricing === null) return null;
  const { id, name, minDays, maxDays } = rate;
  return {
    id,
    kind: "rate",
    label: name,
    description: null,
    pricing,
    minDays,
    maxDays,
    address: null,
  };
}

function ofLocation(location: PickupLocationRow, currency: CurrencyCode): OfferedOption | null {
  const { id, name, instructions, address, amounts } = location;
  const amountMinor = amounts.length === 0 ? 0 : amountIn(amounts, currency);
  if (amountMinor === null) return null;
  return {
    id,
    kind: "pickup",
    label: name,
    description: instructions,
    pricing: { kind: "flat", tiers: [{ from: 0, amountMinor }], freeOverMinor: null },
    minDays: null,
    maxDays: null,
    address,
  };
}
