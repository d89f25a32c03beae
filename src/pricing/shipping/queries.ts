// SQL of shipping zones, rates and pickup locations beside the statements of every record.

import { asc, eq } from "drizzle-orm";

import type { Reader } from "#platform/database/database.ts";
import { prepared } from "#platform/database/prepared.ts";

import { pickupLocations, shippingRates, shippingZones } from "./tables.ts";

const placesOfZones = prepared()((db) =>
  db
    .select({ id: shippingZones.id, name: shippingZones.name, places: shippingZones.places })
    .from(shippingZones),
);
const activeRates = prepared<{ active: boolean }>()((db, at) =>
  db
    .select()
    .from(shippingRates)
    .where(eq(shippingRates.active, at.active))
    .orderBy(asc(shippingRates.id)),
);
const activeLocations = prepared<{ active: boolean }>()((db, at) =>
  db
    .select()
    .from(pickupLocations)
    .where(eq(pickupLocations.active, at.active))
    .orderBy(asc(pickupLocations.id)),
);

/** The name and the places of every zone, in no order. */
export function findPlaces(db: Reader) {
  return placesOfZones(db, {});
}

/** The rates of all zones that are offered, oldest first. */
export function findActiveRates(db: Reader) {
  return activeRates(db, { active: true });
}

/** The locations that are offered, oldest first. */
export function findActiveLocations(db: Reader) {
  return activeLocations(db, { active: true });
}
