// Lookup: how many of each variant an order could take.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

import { availableOf } from "./inventory.ts";
import { findLevels } from "./queries.ts";

/** Units of each variant that can be sold now; null where nobody counts or backorders are allowed. */
export async function findSellableUnits(
  db: Reader,
  variantIds: readonly Id<"variant">[],
): Promise<ReadonlyMap<string, number | null>> {
  const levels = await findLevels(db, variantIds);
  return new Map(
    levels.map((level) => [
      level.variantId,
      level.backorder === "allow" ? null : sellable(availableOf(level)),
    ]),
  );
}

/** Nobody can buy less than nothing. */
function sellable(available: number | null): number | null {
  return available === null ? null : Math.max(0, available);
}
