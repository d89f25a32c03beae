// Story: change a shipping zone.

import { type Change, defined, type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/lock-price-terms.ts";

import { findPlaces, zoneRows } from "../queries.ts";
import { checkPlaces, type ShippingZone, type ShippingZoneFields } from "./zone.ts";

export interface ShippingZoneUpdate {
  readonly change: Change<ShippingZoneFields>;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the given fields; a request that changes nothing makes no new version. Refuses with
 * `shipping_zone_not_found`, `stale_version` and `validation_failed`.
 */
export async function updateShippingZone(
  tx: Tx,
  id: Id<"shippingZone">,
  { change, expected }: ShippingZoneUpdate,
): Promise<ShippingZone> {
  await lockPriceTerms(tx);
  const before = await zoneRows.lock(tx, id);
  requireVersion(before.version, expected);
  const after = { ...before, ...defined(change) };
  const faults = new Faults();
  const others = (await findPlaces(tx)).filter((zone) => zone.id !== id);
  checkPlaces(after.places, others, faults);
  faults.refuseIfAny();
  return Bun.deepEquals(after, before) ? before : zoneRows.save(tx, before, after);
}
