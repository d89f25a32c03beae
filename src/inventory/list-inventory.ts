// Lookup: pages of stock levels and of the ledger.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/store/store.ts";

import { inventoryNotFound } from "./inventory.ts";
import {
  findLevel,
  type InventoryLevel,
  type LevelFilters,
  listLevelRows,
  listMovementRows,
  type Movement,
} from "./queries.ts";

/** Levels, newest variants first. */
export async function listInventory(
  db: Reader,
  filters: LevelFilters | null,
  page: PageRequest,
): Promise<Page<InventoryLevel>> {
  if (filters === null) return toPage([], page.limit);
  return toPage(await listLevelRows(db, filters, page), page.limit);
}

/** One level. Refuses with `inventory_not_found`. */
export async function getLevel(db: Reader, variantId: Id<"variant">): Promise<InventoryLevel> {
  const level = await findLevel(db, variantId);
  if (level === undefined) throw inventoryNotFound();
  return level;
}

/** The ledger of a variant, newest first. Refuses with `inventory_not_found`. */
export async function listMovements(
  db: Reader,
  variantId: Id<"variant">,
  page: PageRequest,
): Promise<Page<Movement>> {
  await getLevel(db, variantId);
  return toPage(await listMovementRows(db, variantId, page), page.limit);
}
