// Story: delete a variant, or archive it if it was ever sold.

import { archiveLevel, dropLevel } from "#catalog/inventory/levels.ts";
import { lockProduct } from "#catalog/products/lookups.ts";
import { archiveVariantRow, deleteUnsoldVariant } from "#catalog/products/queries.ts";
import { saveProduct } from "#catalog/products/save-product.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Tx } from "#platform/database/database.ts";

import type { VariantId } from "./update-variant.ts";
import { lastVariant, variantAmong } from "./variant.ts";

/**
 * Removes the variant from the product, frees its SKU and saves the product as its next version. A variant
 * that was ever sold is archived and keeps its stock level, which open orders reserve. Returns which. Refuses
 * with `product_not_found`, `variant_not_found`, `stale_version` and `last_variant`.
 */
export async function deleteVariant(
  tx: Tx,
  { productId, variantId }: VariantId,
  expected: ExpectedVersion,
): Promise<"deleted" | "archived"> {
  const product = await lockProduct(tx, productId);
  variantAmong(product.variants, variantId);
  requireVersion(product.version, expected);
  if (product.variants.length === 1) throw lastVariant();
  const isRemoved = (await deleteUnsoldVariant(tx, { id: variantId })).length > 0;
  if (isRemoved) {
    await dropLevel(tx, variantId);
  } else {
    await archiveVariantRow(tx, { id: variantId, now: tx.now });
    await archiveLevel(tx, variantId);
  }
  await saveProduct(tx, product, product);
  return isRemoved ? "deleted" : "archived";
}
