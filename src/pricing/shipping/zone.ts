// Shipping zones: the parts of the world that a shop ships to. Invariant: no two zones have the same place, so an
// address is in one zone at most.

import { type Address, foldPostalCode, foldRegion, isCountry } from "#kernel/address.ts";
import type { Faults } from "#kernel/refusal.ts";

import { EVERYWHERE, type ZonePlace } from "./amounts.ts";
import type { ShippingZoneRow } from "./tables.ts";

export type ShippingZone = ShippingZoneRow;

/** The parts of an address that decide its zone. */
export type ShippingPlace = Pick<Address, "country" | "region" | "postalCode">;

/**
 * The zone of an address: a postal prefix beats a region, a region beats a country, and a country beats
 * everywhere; of two prefixes the longer one wins. Null where no zone has the address or its country is unknown.
 */
export function zoneOf<Zone extends Pick<ShippingZone, "places">>(
  zones: readonly Zone[],
  address: ShippingPlace,
): Zone | null {
  const { country } = address;
  if (country === null) return null;
  const place = {
    country,
    region: foldRegion(address.region ?? ""),
    postalCode: foldPostalCode(address.postalCode ?? ""),
  };
  let found: Zone | null = null;
  let best = -1;
  for (const zone of zones) {
    for (const one of zone.places) {
      const rank = rankOf(one, place);
      if (rank > best) [found, best] = [zone, rank];
    }
  }
  return found;
}

interface FoldedPlace {
  readonly country: string;
  readonly region: string;
  readonly postalCode: string;
}

/** How closely the place describes the address; -1 where the address is elsewhere. */
function rankOf({ country, region, postalPrefix }: ZonePlace, at: FoldedPlace): number {
  if (country === EVERYWHERE) return 0;
  if (country !== at.country) return -1;
  if (postalPrefix !== null) {
    const prefix = foldPostalCode(postalPrefix);
    return at.postalCode.startsWith(prefix) ? 2 + prefix.length : -1;
  }
  if (region !== null) return foldRegion(region) === at.region ? 2 : -1;
  return 1;
}

/**
 * Adds a fault for an unknown country, a region or prefix that no address can have, a part of everywhere, a region
 * with a prefix, and a place that stands twice or in one of the other zones.
 */
export function checkPlaces(
  places: readonly ZonePlace[],
  others: readonly Pick<ShippingZone, "places">[],
  faults: Faults,
): void {
  const taken = new Set(others.flatMap((zone) => zone.places.map(keyOf)));
  const seen = new Set<string>();
  places.forEach((place, index) => {
    const at = `/places/${index}`;
    checkPlace(place, at, faults);
    const key = keyOf(place);
    if (seen.has(key)) faults.add(at, "duplicate", "The zone has this place twice.");
    else if (taken.has(key)) {
      faults.add(at, "overlapping_zones", "Another shipping zone has this place.");
    }
    seen.add(key);
  });
}

function checkPlace(place: ZonePlace, at: string, faults: Faults): void {
  const { country, region, postalPrefix } = place;
  if (country !== EVERYWHERE && !isCountry(country)) {
    const detail = "The value is not the ISO 3166-1 code of a country.";
    faults.add(`${at}/country`, "invalid_choice", detail);
  }
  if (region !== null && foldRegion(region) === "") {
    faults.add(`${at}/region`, "invalid_format", "A region has a letter or a digit.");
  }
  if (postalPrefix !== null && foldPostalCode(postalPrefix) === "") {
    const detail = "The beginning of a postal code has a letter or a digit.";
    faults.add(`${at}/postal_prefix`, "invalid_format", detail);
  }
  checkParts(place, at, faults);
}

function checkParts({ country, region, postalPrefix }: ZonePlace, at: string, faults: Faults) {
  const isEverywhere = country === EVERYWHERE;
  if (isEverywhere && region !== null) {
    faults.add(`${at}/region`, "conflicting_fields", "A region needs its country.");
  }
  if (postalPrefix === null || (!isEverywhere && region === null)) return;
  const detail = isEverywhere
    ? "The beginning of a postal code needs its country."
    : "A place has a region or the beginning of a postal code, not both.";
  faults.add(`${at}/postal_prefix`, "conflicting_fields", detail);
}

/** Equal for places that the same addresses are in. */
function keyOf({ country, region, postalPrefix }: ZonePlace): string {
  return JSON.stringify([
    country,
    region === null ? null : foldRegion(region),
    postalPrefix === null ? null : foldPostalCode(postalPrefix),
  ]);
}
