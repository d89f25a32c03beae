// The SQL of the texts by which variants are found.

import { and, inArray, isNull } from "drizzle-orm";

import { variants } from "#catalog/rows/tables.ts";
import { preparedByFilters } from "#platform/database/prepared.ts";

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
