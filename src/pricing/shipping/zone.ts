// Shipping zones: the parts of the world that a shop ships to. Invariant: no two zones have the same place, so an
// address is in one zone at most.

import {
  type Area,
  type AreaOfAddress,
  checkArea,
  closenessOf,
  EVERYWHERE,
  foldAddress,
  foldArea,
} from "#kernel/area.ts";
import type { Faults } from "#kernel/refusal.ts";

import type { ShippingZoneRow } from "./tables.ts";

export type ShippingZone = ShippingZoneRow;

/** The zone with the place that is the closest to an address; null where no zone has it or its country is unknown. */
export function zoneOf<Zone extends Pick<ShippingZone, "places">>(
  zones: readonly Zone[],
  address: AreaOfAddress,
): Zone | null {
  const { country } = address;
  if (country === null) return null;
  const at = foldAddress({ ...address, country });
  let found: Zone | null = null;
  let best = -1;
  for (const zone of zones) {
    for (const place of zone.places) {
      if (place.country !== country && place.country !== EVERYWHERE) continue;
      const closeness = closenessOf(foldArea(place), at);
      if (closeness > best) [found, best] = [zone, closeness];
    }
  }
  return found;
}

/** Adds a fault for what no place can be, and for a place that stands twice or in one of the other zones. */
export function checkPlaces(
  places: readonly Area[],
  others: readonly Pick<ShippingZone, "places">[],
  faults: Faults,
): void {
  const taken = new Set(others.flatMap((zone) => zone.places.map(keyOf)));
  const seen = new Set<string>();
  places.forEach((place, index) => {
    const at = `/places/${index}`;
    checkArea(place, at, faults);
    const key = keyOf(place);
    if (seen.has(key)) faults.add(at, "duplicate", "The zone has this place twice.");
    else if (taken.has(key)) {
      faults.add(at, "overlapping_zones", "Another shipping zone has this place.");
    }
    seen.add(key);
  });
}

/** Equal for places that the same addresses are in. */
function keyOf(place: Area): string {
  const { country, region, postalPrefix } = foldArea(place);
  return JSON.stringify([country, region, postalPrefix]);
}
