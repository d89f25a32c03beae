// Lookups: what the shop ships by, for routes and other folders.

import { EVERYWHERE } from "#kernel/area.ts";
import { isId } from "#kernel/id.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";

import { pickupLocations } from "./pickup-location-schema.ts";
import { findActiveLocations, findActiveRates, findPlaces } from "./queries.ts";
import { shippingRates } from "./rate-schema.ts";
import {
  addUnknownOption,
  type ShippingAsked,
  type ShippingOptionId,
  type ShippingRequest,
} from "./shipping-charge.ts";

/** The countries of the shop's zones, ISO 3166-1 alpha-2; null where one of them is everywhere. */
export async function findDestinations(db: Reader): Promise<readonly string[] | null> {
  const zones = await findPlaces(db);
  const countries = new Set(zones.flatMap(({ places }) => places.map(({ country }) => country)));
  return countries.has(EVERYWHERE) ? null : [...countries];
}

/** Returns true if the shop has an active rate: customers then choose what they pay for shipping among its options. */
export async function hasActiveRates(db: Reader): Promise<boolean> {
  return (await findActiveRates(db)).length > 0;
}

/** Returns true if customers can fetch their goods. */
export async function hasPickup(db: Reader): Promise<boolean> {
  return (await findActiveLocations(db)).length > 0;
}

/** Returns true if customers can choose how their goods come to them: sent at a rate, or fetched. */
export async function hasDelivery(db: Reader): Promise<boolean> {
  return (await hasActiveRates(db)) || (await hasPickup(db));
}

/** The option, if the shop has it; it may be withdrawn. */
export async function findOption(
  db: Reader,
  id: ShippingOptionId,
): Promise<{ readonly active: boolean } | undefined> {
  return isId("shippingRate", id)
    ? shippingRates.rows.find(db, id)
    : pickupLocations.rows.find(db, id);
}

/** Adds a fault for an option that the shop does not have. One that it has may still not be offered for the sale. */
export async function checkOption(
  db: Reader,
  asked: ShippingRequest | ShippingAsked | null,
  faults: Faults,
): Promise<void> {
  if (asked === null || !("optionId" in asked)) return;
  if ((await findOption(db, asked.optionId)) === undefined) addUnknownOption(asked, faults);
}
