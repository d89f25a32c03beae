// Story: change a pickup location.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/lock-price-terms.ts";

import { pickupLocationRows } from "../queries.ts";
import { type PickupLocation, type PickupLocationInput, readLocation } from "./pickup-location.ts";

export interface PickupLocationUpdate {
  readonly change: PickupLocationInput;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the given fields; a request that changes nothing makes no new version. Refuses with
 * `pickup_location_not_found`, `stale_version` and `validation_failed`.
 */
export async function updatePickupLocation(
  tx: Tx,
  id: Id<"pickupLocation">,
  { change, expected }: PickupLocationUpdate,
): Promise<PickupLocation> {
  await lockPriceTerms(tx);
  const before = await pickupLocationRows.lock(tx, id);
  requireVersion(before.version, expected);
  const faults = new Faults();
  const after = { ...before, ...readLocation(before, change, faults) };
  faults.refuseIfAny();
  return Bun.deepEquals(after, before) ? before : pickupLocationRows.save(tx, before, after);
}
