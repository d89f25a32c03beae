// Story: set or adjust the stock of many variants. A refused row does not affect the others.

import type { Id } from "#kernel/id.ts";
import { Refusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import { byVariant } from "./inventory.ts";
import type { InventoryLevel } from "./queries.ts";
import { setStock, type StockChange } from "./set-stock.ts";

export interface StockRow {
  readonly variantId: Id<"variant">;
  readonly change: StockChange;
}

/** The new level of a row, or its refusal. */
export type StockRowResult =
  | { readonly variantId: Id<"variant">; readonly level: InventoryLevel }
  | { readonly variantId: Id<"variant">; readonly refusal: Refusal };

/**
 * Applies every row that is not refused. Returns the results in the order of `rows`. Levels are locked in
 * the order of variants; rows of the same variant are applied in their given order.
 */
export async function setStockBatch(tx: Tx, rows: readonly StockRow[]): Promise<StockRowResult[]> {
  const results = new Map<StockRow, StockRowResult>();
  for (const row of rows.toSorted(byVariant)) results.set(row, await setRow(tx, row));
  return rows.flatMap((row) => results.get(row) ?? []);
}

/** Catching a refusal is safe: `setStock` writes nothing before it refuses. */
async function setRow(tx: Tx, { variantId, change }: StockRow): Promise<StockRowResult> {
  try {
    return { variantId, level: await setStock(tx, variantId, { change, expected: null }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { variantId, refusal: error };
  }
}
