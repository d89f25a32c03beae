// Reads of stock for other folders and routes, and the lock of a level.

import { availableOf, inventoryNotFound } from "#catalog/rows/inventory.ts";
import type { Id } from "#kernel/id.ts";
import { type Counted, countUpTo, type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import { type LevelFilters, levelRowsAfter, listLevelRows } from "./list-queries.ts";
import {
  findLevel,
  findLevels,
  type InventoryLevel,
  listMovementRows,
  lockLevelRow,
  type Movement,
} from "./queries.ts";

/** The units of a variant that can be sold. */
export interface Availability {
  /** Units in stock that are not reserved; null for an untracked variant. */
  readonly available: number | null;
  /** True if a unit can be ordered now. */
  readonly inStock: boolean;
}

/** Returns the availability of each variant that has a level. */
export async function findAvailability(
  db: Reader,
  variantIds: readonly Id<"variant">[],
): Promise<ReadonlyMap<string, Availability>> {
  const levels = await findLevels(db, variantIds);
  return new Map(
    [...levels.values()].map((level) => {
      const available = availableOf(level);
      const inStock = available === null || available > 0 || level.backorder === "allow";
      return [level.variantId, { available, inStock }];
    }),
  );
}

/** Returns the units of each variant that can be ordered now; null if untracked or backorders are allowed. */
export async function findSellableUnits(
  db: Reader,
  variantIds: readonly Id<"variant">[],
): Promise<ReadonlyMap<string, number | null>> {
  const levels = await findLevels(db, variantIds);
  return new Map(
    [...levels.values()].map((level) => {
      const available = availableOf(level);
      const isUnlimited = available === null || level.backorder === "allow";
      return [level.variantId, isUnlimited ? null : Math.max(0, available)];
    }),
  );
}

/** Returns the level. Refuses with `inventory_not_found`. */
export async function getLevel(db: Reader, variantId: Id<"variant">): Promise<InventoryLevel> {
  const level = await findLevel(db, variantId);
  if (level === undefined) throw inventoryNotFound();
  return level;
}

/** Locks the level until the transaction ends and returns it. Refuses with `inventory_not_found`. */
export async function lockLevel(tx: Tx, variantId: Id<"variant">): Promise<InventoryLevel> {
  const level = await lockLevelRow(tx, variantId);
  if (level === undefined) throw inventoryNotFound();
  return level;
}

/** Returns a page of levels, newest variants first. Null filters match nothing. */
export async function listInventory(
  db: Reader,
  filters: LevelFilters | null,
  page: PageRequest,
): Promise<Page<InventoryLevel>> {
  if (filters === null) return toPage([], page.limit);
  return toPage(await listLevelRows(db, filters, page), page.limit);
}

export interface LowLevels extends Counted {
  /** The variants of the counted levels, newest first. */
  readonly variantIds: readonly Id<"variant">[];
}

/** Counts the levels of products on offer that are below their threshold, up to a limit. */
export async function findLowStock(db: Reader, limit: number): Promise<LowLevels> {
  const found = await listLevelRows(db, { low: true }, { limit, after: null });
  const variantIds = found.slice(0, limit).map((level) => level.variantId);
  return { ...countUpTo(found, limit), variantIds };
}

/** Returns a page of a variant's ledger, newest first. Refuses with `inventory_not_found`. */
export async function listMovements(
  db: Reader,
  variantId: Id<"variant">,
  page: PageRequest,
): Promise<Page<Movement>> {
  const level = await getLevel(db, variantId);
  return toPage(await listMovementRows(db, level, page), page.limit);
}

const PAGE_ROWS = 1000;

/** The counts of one level. */
export interface LevelFigures {
  readonly variantId: Id<"variant">;
  readonly onHand: number;
  readonly reserved: number;
  readonly lastMovementId: Id<"movement"> | null;
}

/** Yields all levels in the order of their variants. */
export async function* walkLevels(db: Reader): AsyncGenerator<LevelFigures> {
  let variantId = "";
  for (;;) {
    await nextTurn();
    const rows = await levelRowsAfter(db, { variantId, rows: PAGE_ROWS });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    variantId = last.variantId;
  }
}
