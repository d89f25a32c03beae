// The SQL of the options of variants: the rows by which lists filter and facets count, and how far products of older
// versions are read for them.

import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";

import { productIndexing, products, variantOptions, variants } from "#catalog/rows/tables.ts";
import { selectTexts } from "#platform/database/dialect.ts";
import {
  prepared,
  preparedByFilters,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { rememberedOne } from "#platform/database/remembered.ts";

/** Each row is a list of its columns, in their order. Rows that are there stay. */
export const addOptions = preparedWrite<{ rows: string }>()((tx, at) =>
  tx.insert(variantOptions).select(selectTexts(at.rows, 6)).onConflictDoNothing(),
);

interface OptionKey {
  readonly nameKey: string;
  readonly valueKey: string;
  readonly variantId: string;
}

export const removeOption = preparedWrite<OptionKey>()((tx, at) =>
  tx
    .delete(variantOptions)
    .where(
      and(
        eq(variantOptions.nameKey, at.nameKey),
        eq(variantOptions.valueKey, at.valueKey),
        eq(variantOptions.variantId, at.variantId),
      ),
    ),
);

/** The indexed parts of the variants that are not archived. */
export const variantsOfProducts = preparedByFilters<{ productIds: readonly string[] }>()(
  (db, given) =>
    db
      .select({
        id: variants.id,
        productId: variants.productId,
        title: variants.title,
        options: variants.options,
      })
      .from(variants)
      .where(
        and(inArray(variants.productId, given.each("productIds")), isNull(variants.archivedAt)),
      ),
);

/** The rows of these products, those of archived variants too if there are any. */
export const optionsOfProducts = preparedByFilters<{ productIds: readonly string[] }>()(
  (db, given) =>
    db
      .select()
      .from(variantOptions)
      .where(inArray(variantOptions.productId, given.each("productIds"))),
);

const indexing = prepared()((db) =>
  db.select({ after: productIndexing.after }).from(productIndexing),
);

/** The product up to which those of older versions are read; undefined once all are. */
export const findIndexed = rememberedOne(
  [productIndexing],
  async (db) => (await indexing(db, {}))[0],
);

/** The same, which no other program moves meanwhile. */
export const lockIndexed = preparedLock()((db) =>
  db.select({ after: productIndexing.after }).from(productIndexing),
);

export const moveIndexed = preparedWrite<{ after: string }>()((tx, at) =>
  tx.update(productIndexing).set({ after: sql`${at.after}` }),
);

export const endIndexing = preparedWrite()((tx) => tx.delete(productIndexing));

/** Products behind one, in the order of their ids, locked so that none of them is changed meanwhile. */
export const lockProductsAfter = preparedLock<{ after: string; rows: number }>()((db, at) =>
  db
    .select({
      id: products.id,
      name: products.name,
      description: products.description,
      category: products.category,
      brand: products.brand,
      tags: products.tags,
    })
    .from(products)
    .where(gt(products.id, at.after))
    .orderBy(asc(products.id))
    .limit(at.rows),
);
