// Lookup: pages of stock levels.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/store.ts";

import { type InventoryLevel, type LevelFilters, listLevelRows } from "./queries.ts";

/** Levels, newest variants first; none where the filters cannot match. */
export async function listInventory(
  db: Reader,
  filters: LevelFilters | null,
  page: PageRequest,
): Promise<Page<InventoryLevel>> {
  if (filters === null) return toPage([], page.limit);
  return toPage(await listLevelRows(db, filters, page), page.limit);
}
