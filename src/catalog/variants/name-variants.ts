// Lookup: what rows about variants are about, by name.

import { findSellableVariants } from "#catalog/products/lookups.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";

/** The rows, each with the name that its variant has in carts and orders; null once that was deleted. */
export async function nameVariants<Row extends { readonly variantId: Id<"variant"> }>(
  db: Reader,
  rows: readonly Row[],
): Promise<(Row & { readonly name: string | null })[]> {
  const variants = await findSellableVariants(
    db,
    rows.map(({ variantId }) => variantId),
  );
  return rows.map((row) => ({ ...row, name: variants.get(row.variantId)?.name ?? null }));
}
