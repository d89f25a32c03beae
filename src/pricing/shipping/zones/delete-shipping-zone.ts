// Story: delete a shipping zone.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/lock-price-terms.ts";

import { deleteZoneRow, zoneRows } from "../queries.ts";

/**
 * Deletes the zone with its rates: a rate is nothing without the places that it is for. Refuses with
 * `shipping_zone_not_found` and `stale_version`.
 */
export async function deleteShippingZone(
  tx: Tx,
  id: Id<"shippingZone">,
  expected: ExpectedVersion,
): Promise<undefined> {
  await lockPriceTerms(tx);
  const zone = await zoneRows.lock(tx, id);
  requireVersion(zone.version, expected);
  await deleteZoneRow(tx, id);
}
