// Story: delete a pickup location.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/lock-price-terms.ts";

import { deleteLocationRow, pickupLocationRows } from "../queries.ts";

/** Deletes the location. Refuses with `pickup_location_not_found` and `stale_version`. */
export async function deletePickupLocation(
  tx: Tx,
  id: Id<"pickupLocation">,
  expected: ExpectedVersion,
): Promise<undefined> {
  await lockPriceTerms(tx);
  const location = await pickupLocationRows.lock(tx, id);
  requireVersion(location.version, expected);
  await deleteLocationRow(tx, id);
}
