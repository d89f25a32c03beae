// Lookup: the stock level of one variant.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

import { inventoryNotFound } from "./inventory.ts";
import { findLevel, type InventoryLevel } from "./queries.ts";

/** The level, held where a story asks. Refuses with `inventory_not_found`. */
export async function getLevel(db: Reader, variantId: Id<"variant">): Promise<InventoryLevel> {
  const level = await findLevel(db, variantId);
  if (level === undefined) throw inventoryNotFound();
  return level;
}
