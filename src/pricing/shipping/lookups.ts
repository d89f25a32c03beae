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

/** Returns true if the shop has a zone: customers then choose what they pay for shipping among its options. */
export async function hasZones(db: Reader): Promise<boolean> {
  return (await findPlaces(db)).length > 0;
}

/** Returns true if customers can fetch their goods. */
export async function hasPickup(db: Reader): Promise<boolean> {
  return (await findActiveLocations(db)).length > 0;
}

/** How goods come to the customers of a shop. */
export interface Delivery {
  readonly hasZones: boolean;
  readonly hasPickup: boolean;
  /** The names of the zones to which nothing is sent, since they have no active rate. */
  readonly unpriced: readonly string[];
  /** The names of the zones to which an upgrade wrote that delivery is free, as long as no one changed that. */
  readonly assumedFree: readonly string[];
}

/** An upgrade gave the rate that it wrote the digits of its zone. */
export async function findDelivery(db: Reader): Promise<Delivery> {
  const zones = await findPlaces(db);
  const rates = await findActiveRates(db);
  const isAssumed = ({ id, zoneId, version }: (typeof rates)[number]) =>
    version === 1 && digitsOf(id) === digitsOf(zoneId);
  const ratesOf = (zone: (typeof zones)[number]) =>
    rates.filter(({ zoneId }) => zoneId === zone.id);
  return {
    hasZones: zones.length > 0,
    hasPickup: await hasPickup(db),
    unpriced: zones.filter((zone) => ratesOf(zone).length === 0).map(({ name }) => name),
    assumedFree: zones.filter((zone) => ratesOf(zone).some(isAssumed)).map(({ name }) => name),
  };
}

function digitsOf(id: string): string {
  return id.slice(id.indexOf("_"));
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
