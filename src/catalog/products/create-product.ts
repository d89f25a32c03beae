// Story: a product comes into the shop, with its variants and their stock.

import { openVariant } from "#catalog/variants/open-variant.ts";
import type { VariantDraft } from "#catalog/variants/variant.ts";
import { defined } from "#kernel/change.ts";
import { newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { indexText } from "#platform/database/search/search.ts";
import { getStore } from "#shop/store/get-store.ts";

import { productFact } from "./events.ts";
import { findProducts } from "./lookups.ts";
import {
  type NewProduct,
  onlyProduct,
  plainProduct,
  type Product,
  readVariants,
  searchText,
  slugOf,
  slugTaken,
} from "./product.ts";
import { insertProduct, isSlugTaken, type ProductRow, replaceTags } from "./queries.ts";

/**
 * Afterwards the product is there and announced, and each variant has its stock. What is not said
 * is empty, and a product without variants has one without a price. Refuses with
 * `validation_failed`, `slug_taken` and `sku_taken`.
 */
export async function createProduct(tx: Tx, asked: NewProduct): Promise<Product> {
  const variants = readVariants(asked, (await getStore(tx)).currency);
  const id = newId("product", tx.now);
  const { name } = asked.fields;
  const { slug, ...fields } = { ...plainProduct, slug: undefined, ...defined(asked.fields), name };
  const row = { ...fields, id, version: 1, createdAt: tx.now, updatedAt: tx.now };
  await insertUnderSlug(tx, row, slug);
  for (const { position, variant } of bySku(variants)) {
    await openVariant(tx, variant, { id, options: fields.options, position });
  }
  await replaceTags(tx, id, fields.tags);
  const product = onlyProduct(await findProducts(tx, { id }));
  await indexText(tx, { kind: "products", subject: id }, searchText(product));
  await tx.emit(productFact("product.created", product));
  return product;
}

/** Under the slug that was asked for, else under a free one, again where somebody else was faster. */
async function insertUnderSlug(
  tx: Tx,
  row: Omit<ProductRow, "slug">,
  asked: string | undefined,
): Promise<void> {
  for (;;) {
    const slug = asked ?? (await freeSlug(tx, slugOf(row.name)));
    if ((await insertProduct(tx, { ...row, slug })).length > 0) return;
    if (asked !== undefined) throw slugTaken();
  }
}

/** In the order of their SKUs, so that of two products with the same ones neither waits for the other. */
function bySku(variants: readonly VariantDraft[]) {
  const placed = variants.map((variant, position) => ({ position, variant }));
  return placed.toSorted((one, other) => {
    const [sku, next] = [one.variant.sku ?? "", other.variant.sku ?? ""];
    if (sku === next) return one.position - other.position;
    return sku < next ? -1 : 1;
  });
}

/**
 * The wanted slug, or else with a number behind it that is free while the one before is taken.
 * Found by doubling and halving, so that the ten-thousandth `mug` costs no more than a few looks.
 */
async function freeSlug(tx: Tx, wanted: string): Promise<string> {
  const numbered = (number: number) => (number === 1 ? wanted : `${wanted}-${number}`);
  let taken = 0;
  let free = 1;
  while (await isSlugTaken(tx, numbered(free))) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isSlugTaken(tx, numbered(middle))) taken = middle;
    else free = middle;
  }
  return numbered(free);
}
