// Lookup: the ways in which a shop sends goods to an address, or has them fetched.

import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";

import { feeOf, type PickupLocation } from "./pickup-locations/pickup-location.ts";
import { findActiveLocations, findActiveRates, findPlaces } from "./queries.ts";
import { type OptionPricing, pricingOf, type ShippingRate } from "./rates/rate.ts";
import { type ShippingPlace, zoneOf } from "./zones/zone.ts";

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
  /** Where the goods are fetched; null for a rate. */
  readonly address: Address | null;
}

export interface ShippingQuestion {
  /** Null, or without a country: only pickup is offered. */
  readonly address: ShippingPlace | null;
  readonly currency: CurrencyCode;
}

/**
 * The active rates of the address's zone, then the active pickup locations, each oldest first. An option without an
 * amount in the currency is left out.
 */
export async function findShippingOptions(
  db: Reader,
  { address, currency }: ShippingQuestion,
): Promise<OfferedOption[]> {
  const rates = address === null ? [] : await findRates(db, address);
  const locations = await findActiveLocations(db);
  return [
    ...rates.map((rate) => ofRate(rate, currency)),
    ...locations.map((location) => ofLocation(location, currency)),
  ].filter((option) => option !== null);
}

async function findRates(db: Reader, address: ShippingPlace): Promise<ShippingRate[]> {
  if (address.country === null) return [];
  const zone = zoneOf(await findPlaces(db), address);
  return zone === null ? [] : findActiveRates(db, zone.id);
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

function ofLocation(location: PickupLocation, currency: CurrencyCode): OfferedOption | null {
  const amountMinor = feeOf(location, currency);
  if (amountMinor === null) return null;
  const { id, name, instructions, address } = location;
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
