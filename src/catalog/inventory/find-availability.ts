// Lookup: how many of each variant can be sold.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

import { availableOf } from "./inventory.ts";
import { findLevels } from "./queries.ts";

/** Units available of each variant; null where nobody counts. */
export async function findAvailability(
  db: Reader,
  variantIds: readonly Id<"variant">[],
): Promise<ReadonlyMap<string, number | null>> {
  const levels = await findLevels(db, variantIds);
  return new Map(levels.map((level) => [level.variantId, availableOf(level)]));
}
