// All SQL of products, variants and tags. A statement that writes a unique value checks it as it writes, so
// that no other transaction can take it between a read and a write.

import { and, eq, inArray, isNull, notExists, sql } from "drizzle-orm";

import { getMediaUrl } from "#catalog/media/lookups.ts";
import { productNotFound } from "#catalog/rows/product.ts";
import {
  mediaAddress,
  products,
  productTags,
  type VariantRow,
  variants,
} from "#catalog/rows/tables.ts";
import { shownOf } from "#catalog/rows/variant.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedInsertIfFree,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { remembered } from "#platform/database/remembered.ts";
import { versionedStatements } from "#platform/database/statements.ts";

/** Statements of the product's row. `get` and `lock` refuse with `product_not_found`. */
export const productRows = versionedStatements(products, productNotFound);

/** Returns false, and inserts nothing, if another product has the slug. */
export const insertProduct = preparedInsertIfFree(products);

/** Returns false, and inserts nothing, if another variant has the SKU. */
export const insertVariant = preparedInsertIfFree(variants);

/** The variants that are not archived, in the order of product and position. */
const offeredVariants = preparedByFilters<{ productIds: readonly string[] }>()((db, given) =>
  db
    .select({
      id: variants.id,
      productId: variants.productId,
      position: variants.position,
      sku: variants.sku,
      barcode: variants.barcode,
      title: variants.title,
      options: variants.options,
      prices: variants.prices,
      weightGrams: variants.weightGrams,
      requiresShipping: variants.requiresShipping,
      image: variants.image,
      metadata: variants.metadata,
    })
    .from(variants)
    .where(and(inArray(variants.productId, given.each("productIds")), isNull(variants.archivedAt)))
    .orderBy(variants.productId, variants.position),
);

/** One variant that is sent to customers, if there is any. */
export const anyShipped = prepared<{ requiresShipping: boolean }>()((db, at) =>
  db
    .select({ id: variants.id })
    .from(variants)
    .where(and(eq(variants.requiresShipping, at.requiresShipping), isNull(variants.archivedAt)))
    .limit(1),
);

const existing = preparedByFilters<{ ids: readonly string[] }>()((db, given) =>
  db
    .select({ id: products.id })
    .from(products)
    .where(inArray(products.id, given.each("ids"))),
);

/** Returns the ids of the products that exist among these. */
export async function findExisting(
  db: Reader,
  ids: readonly Id<"product">[],
): Promise<ReadonlySet<Id<"product">>> {
  const found = ids.length === 0 ? [] : await existing(db, { ids });
  return new Set(found.map(({ id }) => id));
}

/** Finds the described part of products, without what can be sold of their variants now, by their ids. */
export const findDescribed = remembered(
  [products, variants, mediaAddress],
  async (db, ids) => {
    const mediaUrl = await getMediaUrl(db);
    const found = await productRows.findAll(db, ids);
    const offered = Map.groupBy(
      found.length === 0 ? [] : await offeredVariants(db, { productIds: ids }),
      ({ productId }) => productId,
    );
    const known = await findExisting(
      db,
      found.flatMap(({ relatedProductIds }) => relatedProductIds),
    );
    return new Map(
      found.map((row) => [
        row.id,
        {
          ...row,
          relatedProductIds: row.relatedProductIds.filter((id) => known.has(id)),
          mediaUrl,
          variants: (offered.get(row.id) ?? []).map((one) => ({ ...one, mediaUrl })),
        },
      ]),
    );
  },
  { areResources: true },
);

const variantsForSale = preparedByFilters<{ ids: readonly string[] }>()((db, given) =>
  db
    .select({
      variantId: variants.id,
      productId: variants.productId,
      sku: variants.sku,
      title: variants.title,
      prices: variants.prices,
      weightGrams: variants.weightGrams,
      requiresShipping: variants.requiresShipping,
      firstSoldAt: variants.firstSoldAt,
      archivedAt: variants.archivedAt,
      productName: products.name,
      status: products.status,
      taxClass: products.taxClass,
      tags: products.tags,
      slug: products.slug,
      options: variants.options,
      image: variants.image,
      images: products.images,
    })
    .from(variants)
    .innerJoin(products, eq(products.id, variants.productId))
    .where(inArray(variants.id, given.each("ids"))),
);

/** Finds the part of variants that orders need, archived ones included, by their ids. */
export const findVariantsForSale = remembered(
  [products, variants, mediaAddress],
  async (db, ids) => {
    const rows = await variantsForSale(db, { ids });
    const mediaUrl = await getMediaUrl(db);
    return new Map(
      rows.map(({ image, images, ...row }) => {
        const shown = shownOf({ ...row, image, images }, mediaUrl);
        return [row.variantId, { ...row, shown }];
      }),
    );
  },
);

const ownerOfSku = prepared<{ sku: string }>()((db, at) =>
  db.select({ id: variants.id }).from(variants).where(eq(variants.sku, at.sku)),
);
const ownerOfSlug = prepared<{ slug: string }>()((db, at) =>
  db.select({ id: products.id }).from(products).where(eq(products.slug, at.slug)),
);

/** Locks all variants of a product, archived ones included, so that none gets its first sale meanwhile. */
export const lockVariantRows = preparedLock<{ productId: string }>()((db, at) =>
  db
    .select({ id: variants.id })
    .from(variants)
    .where(eq(variants.productId, at.productId))
    .orderBy(variants.id),
);

/** Writes the slug. Returns no row, and writes nothing, if another product has it. */
export const claimSlug = preparedWrite<{ id: string; slug: string }>()((tx, at) =>
  tx
    .update(products)
    .set({ slug: sql`${at.slug}` })
    .where(
      and(
        eq(products.id, at.id),
        sql`NOT EXISTS (SELECT 1 FROM ${products} AS other WHERE other.slug = ${at.slug})`,
      ),
    )
    .returning({ id: products.id }),
);

/** Writes the SKU. Returns no row, and writes nothing, if another variant has it. */
export const claimSku = preparedWrite<{ id: string; sku: string | null }>()((tx, at) =>
  tx
    .update(variants)
    .set({ sku: sql`${at.sku}` })
    .where(
      and(
        eq(variants.id, at.id),
        sql`NOT EXISTS (SELECT 1 FROM ${variants} AS other WHERE other.sku = ${at.sku})`,
      ),
    )
    .returning({ id: variants.id }),
);

type VariantChange = Pick<
  VariantRow,
  | "id"
  | "barcode"
  | "title"
  | "options"
  | "prices"
  | "weightGrams"
  | "requiresShipping"
  | "image"
  | "metadata"
  | "updatedAt"
>;

/** Writes every field but the SKU, which `claimSku` writes. */
export const updateVariantRow = preparedWrite<VariantChange>()((tx, at) =>
  tx
    .update(variants)
    .set({
      barcode: sql`${at.barcode}`,
      title: sql`${at.title}`,
      options: sql`${sql.param(at.options, variants.options)}`,
      prices: sql`${sql.param(at.prices, variants.prices)}`,
      weightGrams: sql`${at.weightGrams}`,
      requiresShipping: sql`${sql.param(at.requiresShipping, variants.requiresShipping)}`,
      image: sql`${sql.param(at.image, variants.image)}`,
      metadata: sql`${sql.param(at.metadata, variants.metadata)}`,
      updatedAt: sql`${at.updatedAt}`,
    })
    .where(eq(variants.id, at.id)),
);

/** Writes the instant of the first sale; keeps an earlier one. */
export const markFirstSale = preparedWrite<{ id: string; now: number }>({
  by: "id",
  lockPlace: "variant",
})((tx, at) =>
  tx
    .update(variants)
    .set({ firstSoldAt: sql`${at.now}` })
    .where(and(eq(variants.id, at.id), isNull(variants.firstSoldAt))),
);

/** Archives the variant and frees its SKU and its picture. */
export const archiveVariantRow = preparedWrite<{ id: string; now: number }>()((tx, at) =>
  tx
    .update(variants)
    .set({ sku: null, image: null, archivedAt: sql`${at.now}`, updatedAt: sql`${at.now}` })
    .where(eq(variants.id, at.id)),
);

/** Deletes the variant. Returns no row, and keeps the variant, if it was ever sold. */
export const deleteUnsoldVariant = preparedWrite<{ id: string }>()((tx, at) =>
  tx
    .delete(variants)
    .where(and(eq(variants.id, at.id), isNull(variants.firstSoldAt)))
    .returning({ id: variants.id }),
);

/** Deletes all variants of a product. Returns no row, and keeps all, if one of them was ever sold. */
export const deleteUnsoldVariants = preparedWrite<{ productId: string }>()((tx, at) =>
  tx
    .delete(variants)
    .where(
      and(
        eq(variants.productId, at.productId),
        notExists(
          sql`(SELECT 1 FROM ${variants} AS other
            WHERE other.product_id = ${at.productId} AND other.first_sold_at IS NOT NULL)`,
        ),
      ),
    )
    .returning({ id: variants.id }),
);

const removeTags = preparedWrite<{ productId: string }>()((tx, at) =>
  tx.delete(productTags).where(eq(productTags.productId, at.productId)),
);
const addTag = preparedInsert(productTags);

export async function findSkuOwner(db: Reader, sku: string): Promise<Id<"variant"> | undefined> {
  return (await ownerOfSku(db, { sku }))[0]?.id;
}

export async function isSlugTaken(db: Reader, slug: string): Promise<boolean> {
  return (await ownerOfSlug(db, { slug })).length > 0;
}

/** Replaces the product's rows in `product_tags`. */
export async function replaceTags(
  tx: Tx,
  productId: Id<"product">,
  tags: readonly string[],
): Promise<void> {
  await removeTags(tx, { productId });
  for (const tag of tags) await addTag(tx, { tag, productId });
}
