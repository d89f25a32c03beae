// The SQL of what products are found and sorted by beside their own rows: lowest prices, former slugs, folded names.

import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";

import { productPrices, products, productSlugs, variants } from "#catalog/rows/tables.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedWrite,
} from "#platform/database/prepared.ts";

export const addPrice = preparedInsert(productPrices);

export const removePrice = preparedWrite<{ productId: string; currency: CurrencyCode }>()(
  (tx, at) =>
    tx
      .delete(productPrices)
      .where(
        and(eq(productPrices.productId, at.productId), eq(productPrices.currency, at.currency)),
      ),
);

/** Remembers that the product had the slug, in place of another product that had it before. */
export const retireSlug = preparedWrite<{ slug: string; productId: string }>()((tx, at) =>
  tx
    .insert(productSlugs)
    .values({ slug: sql`${at.slug}`, productId: sql`${at.productId}` })
    .onConflictDoUpdate({
      target: productSlugs.slug,
      set: { productId: sql`excluded.product_id` },
    }),
);

/** The product that had the slug last. */
export const productOfFormerSlug = prepared<{ slug: string }>()((db, at) =>
  db
    .select({ id: productSlugs.productId })
    .from(productSlugs)
    .where(eq(productSlugs.slug, at.slug)),
);

/** Products of older versions, whose names are not folded yet. */
export const unfoldedNames = prepared<{ rows: number }>()((db, at) =>
  db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(eq(products.nameKey, sql`''`))
    .orderBy(products.id)
    .limit(at.rows),
);

export const writeNameKey = preparedWrite<{ id: string; name: string; nameKey: string }>()(
  (tx, at) =>
    tx
      .update(products)
      .set({ nameKey: sql`${at.nameKey}` })
      .where(and(eq(products.id, at.id), eq(products.name, at.name))),
);

/** Products in the order of their ids, from after one. */
export const productIdsAfter = prepared<{ id: string; rows: number }>()((db, at) =>
  db
    .select({ id: products.id })
    .from(products)
    .where(gt(products.id, at.id))
    .orderBy(products.id)
    .limit(at.rows),
);

/** The prices of the variants that are not archived. */
export const pricesOfVariants = preparedByFilters<{ productIds: readonly string[] }>()(
  (db, given) =>
    db
      .select({ productId: variants.productId, prices: variants.prices })
      .from(variants)
      .where(
        and(inArray(variants.productId, given.each("productIds")), isNull(variants.archivedAt)),
      ),
);

export const pricesOfProducts = preparedByFilters<{ productIds: readonly string[] }>()(
  (db, given) =>
    db
      .select({
        productId: productPrices.productId,
        currency: productPrices.currency,
        amountMinor: productPrices.amountMinor,
      })
      .from(productPrices)
      .where(inArray(productPrices.productId, given.each("productIds"))),
);
