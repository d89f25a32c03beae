// Story: variants became part of an order.

import { markFirstSale } from "#catalog/products/queries.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

/** Afterwards the variants are archived instead of deleted, for ever. Hand in those not yet sold. */
export async function markSold(tx: Tx, variantIds: readonly Id<"variant">[]): Promise<void> {
  for (const id of variantIds.toSorted()) await markFirstSale(tx, { id, now: tx.now });
}
