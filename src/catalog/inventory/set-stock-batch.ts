// Story: many counts at once, such as after a stocktaking. Each row stands or falls by itself.

import type { Id } from "#kernel/id.ts";
import { Refusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import type { InventoryLevel } from "./queries.ts";
import { setStock, type StockChange } from "./set-stock.ts";

export interface StockRow {
  readonly variantId: Id<"variant">;
  readonly change: StockChange;
}

/** Each row's level, or why that row alone was refused. */
export type StockRowResult =
  | { readonly variantId: Id<"variant">; readonly level: InventoryLevel }
  | { readonly variantId: Id<"variant">; readonly refusal: Refusal };

/**
 * Afterwards every row that could be set is set; answered in the order that was asked. Levels are
 * taken in sorted order, as orders take them; rows of one variant keep theirs.
 */
export async function setStockBatch(tx: Tx, rows: readonly StockRow[]): Promise<StockRowResult[]> {
  const results = new Map<StockRow, StockRowResult>();
  for (const row of rows.toSorted(byVariant)) results.set(row, await setRow(tx, row));
  return rows.flatMap((row) => results.get(row) ?? []);
}

/** `setStock` refuses before it writes. */
async function setRow(tx: Tx, { variantId, change }: StockRow): Promise<StockRowResult> {
  try {
    return { variantId, level: await setStock(tx, variantId, { change, expected: null }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { variantId, refusal: error };
  }
}

function byVariant(one: StockRow, other: StockRow): number {
  if (one.variantId === other.variantId) return 0;
  return one.variantId < other.variantId ? -1 : 1;
}
