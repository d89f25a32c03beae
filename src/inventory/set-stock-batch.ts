// Story: many counts at once, such as after a stocktaking. Each row stands or falls by itself.

import type { Id } from "#kernel/id.ts";
import { Refusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/store/store.ts";

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

/** Afterwards every row that could be set is set. `setStock` refuses before it writes. */
export async function setStockBatch(tx: Tx, rows: readonly StockRow[]): Promise<StockRowResult[]> {
  const results: StockRowResult[] = [];
  for (const { variantId, change } of rows) {
    try {
      results.push({ variantId, level: await setStock(tx, variantId, { change, expected: null }) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      results.push({ variantId, refusal: error });
    }
  }
  return results;
}
