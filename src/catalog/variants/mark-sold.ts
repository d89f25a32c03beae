// Story: record the first sale of variants.

import { markFirstSale } from "#catalog/products/queries.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

/** Writes `first_sold_at`: from now on a deletion archives these variants. Skips those already sold. */
export async function markSold(tx: Tx, variantIds: readonly Id<"variant">[]): Promise<void> {
  const sorted = variantIds.toSorted();
  await Promise.all(sorted.map((id) => markFirstSale(tx, { id, now: tx.now })));
}
