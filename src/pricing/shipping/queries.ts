// SQL of shipping zones, rates and pickup locations beside the statements of every record.

import { and, asc, count, desc, eq, lt } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { pickupLocationNotFound } from "./pickup-locations/pickup-location.ts";
import { shippingRateNotFound } from "./rates/rate.ts";
import { pickupLocations, shippingRates, shippingZones } from "./tables.ts";
import { shippingZoneNotFound } from "./zones/zone.ts";

export const zoneRows = versionedStatements(shippingZones, shippingZoneNotFound);
export const rateRows = versionedStatements(shippingRates, shippingRateNotFound);
export const pickupLocationRows = versionedStatements(pickupLocations, pickupLocationNotFound);

interface RowsAfter {
  readonly rows: number;
  readonly after?: string | undefined;
}

export const listZoneRows = preparedByFilters<RowsAfter>()((db, given) =>
  db
    .select()
    .from(shippingZones)
    .where(given.has("after") ? lt(shippingZones.id, given.one("after")) : undefined)
    .orderBy(desc(shippingZones.id))
    .limit(given.one("rows")),
);

export const listRateRows = preparedByFilters<
  RowsAfter & { readonly zoneId?: string | undefined }
>()((db, given) =>
  db
    .select()
    .from(shippingRates)
    .where(
      and(
        given.has("zoneId") ? eq(shippingRates.zoneId, given.one("zoneId")) : undefined,
        given.has("after") ? lt(shippingRates.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(shippingRates.id))
    .limit(given.one("rows")),
);

export const listPickupLocationRows = preparedByFilters<RowsAfter>()((db, given) =>
  db
    .select()
    .from(pickupLocations)
    .where(given.has("after") ? lt(pickupLocations.id, given.one("after")) : undefined)
    .orderBy(desc(pickupLocations.id))
    .limit(given.one("rows")),
);

const placesOfZones = prepared()((db) =>
  db.select({ id: shippingZones.id, places: shippingZones.places }).from(shippingZones),
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
const ratesInZone = prepared<{ zoneId: string }>()((db, at) =>
  db.select({ total: count() }).from(shippingRates).where(eq(shippingRates.zoneId, at.zoneId)),
);
const allLocations = prepared()((db) => db.select({ total: count() }).from(pickupLocations));
const dropZone = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(shippingZones).where(eq(shippingZones.id, at.id)),
);
const dropRate = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(shippingRates).where(eq(shippingRates.id, at.id)),
);
const dropLocation = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(pickupLocations).where(eq(pickupLocations.id, at.id)),
);

/** The places of every zone, in no order. */
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

export async function countRates(db: Reader, zoneId: Id<"shippingZone">): Promise<number> {
  return (await ratesInZone(db, { zoneId }))[0]?.total ?? 0;
}

export async function countLocations(db: Reader): Promise<number> {
  return (await allLocations(db, {}))[0]?.total ?? 0;
}

/** Deletes the zone with its rates. */
export async function deleteZoneRow(tx: Tx, id: Id<"shippingZone">): Promise<void> {
  await dropZone(tx, { id });
}

export async function deleteRateRow(tx: Tx, id: Id<"shippingRate">): Promise<void> {
  await dropRate(tx, { id });
}

export async function deleteLocationRow(tx: Tx, id: Id<"pickupLocation">): Promise<void> {
  await dropLocation(tx, { id });
}
