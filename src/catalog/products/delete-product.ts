// Story: delete a product, or archive it if it was ever sold.

import { dropLevel } from "#catalog/inventory/levels.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { forgetText } from "#platform/database/search.ts";

import { productFact } from "./events.ts";
import { lockProduct } from "./lookups.ts";
import { deleteUnsoldVariants, lockVariantRows, productRows } from "./queries.ts";
import { saveProduct } from "./save-product.ts";

/**
 * Deletes the product with its variants and stock, and emits `product.deleted`. A product that was ever sold
 * is archived instead, since orders refer to it, and `product.archived` is emitted if it was not archived
 * before. Returns which. Refuses with `product_not_found` and `stale_version`.
 */
export async function deleteProduct(
  tx: Tx,
  id: Id<"product">,
  expected: ExpectedVersion,
): Promise<"deleted" | "archived"> {
  const product = await lockProduct(tx, id);
  requireVersion(product.version, expected);
  await lockVariantRows(tx, { productId: id });
  const removed = await deleteUnsoldVariants(tx, { productId: id });
  if (removed.length === 0) {
    if (product.status !== "archived") {
      await saveProduct(tx, product, { ...product, status: "archived" });
    }
    return "archived";
  }
  for (const variantId of removed.map((one) => one.id).toSorted()) await dropLevel(tx, variantId);
  await productRows.drop(tx, id);
  await forgetText(tx, { kind: "products", subject: id });
  await tx.emit(productFact("product.deleted", product));
  return "deleted";
}
