// Story: write a changed product as its next version. Invariant: products change only here, so version, tags, lowest
// prices, options, search index and event always change together.

import { replaceOptions } from "#catalog/listing/replace-options.ts";
import { replacePrices } from "#catalog/listing/replace-prices.ts";
import { writeSpellings } from "#catalog/listing/write-spellings.ts";
import { replaceUses } from "#catalog/media/queries.ts";
import { mediaOf } from "#catalog/rows/image.ts";
import {
  onlyProduct,
  picturesOf,
  type Product,
  type ProductFields,
  searchText,
  slugOf,
  spelledText,
} from "#catalog/rows/product.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { indexText } from "#platform/database/search.ts";

import { productFact } from "./events.ts";
import { findProducts } from "./lookups.ts";
import { markFirstSale, productRows, replaceTags } from "./queries.ts";

/**
 * Writes the fields, reads the current variants, updates the search index and emits `product.archived` if the
 * product became archived, else `product.updated`. Throws `WriteConflict` if the version changed.
 */
export async function saveProduct(
  tx: Tx,
  before: Product,
  fields: ProductFields,
): Promise<Product> {
  await productRows.save(tx, before, { ...fields, nameKey: slugOf(fields.name) });
  if (!Bun.deepEquals(before.tags, fields.tags)) await replaceTags(tx, before.id, fields.tags);
  const after = onlyProduct(await findProducts(tx, { ids: [before.id] }));
  const shown = mediaOf(picturesOf(after));
  if (!Bun.deepEquals(mediaOf(picturesOf(before)), shown)) await replaceUses(tx, before.id, shown);
  await replacePrices(tx, before.id, { before: before.variants, after: after.variants });
  await replaceOptions(tx, before.id, { before: before.variants, after: after.variants });
  const text = searchText(after);
  if (text !== searchText(before)) {
    await indexText(tx, { kind: "products", subject: before.id }, text);
  }
  await writeSpellings(tx, spelledText(after), spelledText(before));
  const isArchived = after.status === "archived" && before.status !== "archived";
  await tx.emit(productFact(isArchived ? "product.archived" : "product.updated", after));
  return after;
}

/** Writes `first_sold_at`: from now on a deletion archives these variants. Skips those already sold. */
export async function markSold(tx: Tx, variantIds: readonly Id<"variant">[]): Promise<void> {
  const sorted = variantIds.toSorted();
  await Promise.all(sorted.map((id) => markFirstSale(tx, { id, now: tx.now })));
}
