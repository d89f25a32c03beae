// Lookups: what the shop ships by, for routes and other folders.

import { type Id, isId } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";

import type { PickupLocation } from "./pickup-locations/pickup-location.ts";
import {
  findActiveRates,
  findPlaces,
  listPickupLocationRows,
  listRateRows,
  listZoneRows,
  pickupLocationRows,
  rateRows,
  zoneRows,
} from "./queries.ts";
import type { ShippingRate } from "./rates/rate.ts";
import {
  addUnknownOption,
  type ShippingAsked,
  type ShippingOptionId,
  type ShippingRequest,
} from "./shipping-charge.ts";
import { EVERYWHERE } from "./shipping-values.ts";
import type { ShippingZone } from "./zones/zone.ts";

/** A page of zones, newest first. */
export async function listShippingZones(
  db: Reader,
  { limit, after }: PageRequest,
): Promise<Page<ShippingZone>> {
  return toPage(await listZoneRows(db, { rows: limit + 1, after: after ?? undefined }), limit);
}

/** Refuses with `shipping_zone_not_found`. */
export function getShippingZone(db: Reader, id: Id<"shippingZone">): Promise<ShippingZone> {
  return zoneRows.get(db, id);
}

export interface ShippingRateFilters {
  readonly zoneId?: Id<"shippingZone"> | undefined;
}

/** A page of rates, newest first. */
export async function listShippingRates(
  db: Reader,
  { zoneId }: ShippingRateFilters,
  { limit, after }: PageRequest,
): Promise<Page<ShippingRate>> {
  const rows = await listRateRows(db, { zoneId, rows: limit + 1, after: after ?? undefined });
  return toPage(rows, limit);
}

/** Refuses with `shipping_rate_not_found`. */
export function getShippingRate(db: Reader, id: Id<"shippingRate">): Promise<ShippingRate> {
  return rateRows.get(db, id);
}

/** A page of pickup locations, newest first. */
export async function listPickupLocations(
  db: Reader,
  { limit, after }: PageRequest,
): Promise<Page<PickupLocation>> {
  const rows = await listPickupLocationRows(db, { rows: limit + 1, after: after ?? undefined });
  return toPage(rows, limit);
}

/** Refuses with `pickup_location_not_found`. */
export function getPickupLocation(db: Reader, id: Id<"pickupLocation">): Promise<PickupLocation> {
  return pickupLocationRows.get(db, id);
}

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

/** The option, if the shop has it; it may be withdrawn. */
export async function findOption(
  db: Reader,
  id: ShippingOptionId,
): Promise<{ readonly active: boolean } | undefined> {
  return isId("shippingRate", id) ? rateRows.find(db, id) : pickupLocationRows.find(db, id);
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
