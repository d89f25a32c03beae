// Story: create a shipping zone.

import { newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/lock-price-terms.ts";

import { findPlaces, zoneRows } from "../queries.ts";
import {
  checkPlaces,
  SHIPPING_ZONES_MAX,
  type ShippingZone,
  type ShippingZoneFields,
  shippingZoneLimit,
} from "./zone.ts";

/** Inserts the zone, which has no rates yet. Refuses with `validation_failed` and `shipping_zone_limit`. */
export async function createShippingZone(
  tx: Tx,
  { name, places }: ShippingZoneFields,
): Promise<ShippingZone> {
  // Two zones that are made at once could have the same place.
  await lockPriceTerms(tx);
  const others = await findPlaces(tx);
  const faults = new Faults();
  checkPlaces(places, others, faults);
  faults.refuseIfAny();
  if (others.length >= SHIPPING_ZONES_MAX) throw shippingZoneLimit();
  const id = newId("shippingZone", tx.now);
  const zone = { id, name, places, version: 1, createdAt: tx.now, updatedAt: tx.now };
  await zoneRows.insert(tx, zone);
  return zone;
}
