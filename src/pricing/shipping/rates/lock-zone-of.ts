// Story: the zone of a rate is locked, so that it is there as long as the rate is written.

import type { Id } from "#kernel/id.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import { zoneRows } from "../queries.ts";

/** Locks the zone until the transaction ends; adds a fault if there is none. Comes before the lock of a rate. */
export async function lockZoneOf(
  tx: Tx,
  zoneId: Id<"shippingZone">,
  faults: Faults,
): Promise<void> {
  if ((await zoneRows.findLocked(tx, zoneId)) !== undefined) return;
  faults.add("/zone_id", "unknown_shipping_zone", "There is no such shipping zone.");
}
