// The SQL of the texts by which products are found.

import { and, asc, gt, inArray, isNull } from "drizzle-orm";

import { products, variants } from "#catalog/rows/tables.ts";
import { preparedByFilters, preparedLock } from "#platform/database/prepared.ts";

/** Products behind one, in the order of their ids, locked so that none of them is changed meanwhile. */
export const lockTextsAfter = preparedLock<{ after: string; rows: number }>()((db, at) =>
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

/** The texts of the variants that are not archived, in the order of product and position. */
export const textsOfVariants = preparedByFilters<{ productIds: readonly string[] }>()((db, given) =>
  db
    .select({
      productId: variants.productId,
      title: variants.title,
      sku: variants.sku,
      barcode: variants.barcode,
    })
    .from(variants)
    .where(and(inArray(variants.productId, given.each("productIds")), isNull(variants.archivedAt)))
    .orderBy(variants.productId, variants.position),
);
