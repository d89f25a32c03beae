// What other nouns and routes read of stock.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";

import { availableOf, inventoryNotFound } from "./inventory.ts";
import {
  findLevel,
  findLevels,
  type InventoryLevel,
  type LevelFilters,
  levelRowsAfter,
  listLevelRows,
  listMovementRows,
  type Movement,
} from "./queries.ts";

/** Units available of each variant; null where nobody counts. */
export async function findAvailability(
  db: Reader,
  variantIds: readonly Id<"variant">[],
): Promise<ReadonlyMap<string, number | null>> {
  const levels = await findLevels(db, variantIds);
  return new Map(levels.map((level) => [level.variantId, availableOf(level)]));
}

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

/** The level, held where a story asks. Refuses with `inventory_not_found`. */
export async function getLevel(db: Reader, variantId: Id<"variant">): Promise<InventoryLevel> {
  const level = await findLevel(db, variantId);
  if (level === undefined) throw inventoryNotFound();
  return level;
}

/** Levels, newest variants first; none where the filters cannot match. */
export async function listInventory(
  db: Reader,
  filters: LevelFilters | null,
  page: PageRequest,
): Promise<Page<InventoryLevel>> {
  if (filters === null) return toPage([], page.limit);
  return toPage(await listLevelRows(db, filters, page), page.limit);
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

const PAGE_ROWS = 1000;

/** The figures of one level. */
export interface LevelFigures {
  readonly variantId: Id<"variant">;
  readonly onHand: number;
  readonly reserved: number;
}

/** All levels in the order of their variants. */
export async function* walkLevels(db: Reader): AsyncGenerator<LevelFigures> {
  let variantId = "";
  for (;;) {
    const rows = await levelRowsAfter(db, { variantId, rows: PAGE_ROWS });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    variantId = last.variantId;
  }
}
