// SQL of media beside the statements of every record, of their use, and of their address.

import { and, asc, desc, eq, gt, inArray, isNotNull, lt, sql } from "drizzle-orm";

import { mediumNotFound } from "#catalog/rows/medium.ts";
import {
  collections,
  media,
  mediaAddress,
  type Medium,
  productMedia,
  products,
  variants,
} from "#catalog/rows/tables.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedInsertIfFree,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { rememberedOne } from "#platform/database/remembered.ts";
import { versionedStatements } from "#platform/database/statements.ts";

/** Statements of the medium's row. `get` and `lock` refuse with `medium_not_found`. */
export const mediumRows = versionedStatements(media, mediumNotFound);

/** Returns false, and inserts nothing, if there is a medium of the same bytes. */
export const insertMedium = preparedInsertIfFree(media);

const bySha256 = prepared<{ sha256: string }>()((db, at) =>
  db.select().from(media).where(eq(media.sha256, at.sha256)),
);

/** The medium of these bytes. */
export async function findMediumOfBytes(db: Reader, sha256: string): Promise<Medium | undefined> {
  return (await bySha256(db, { sha256 }))[0];
}

/** The filters of a list. */
export interface MediumFilters {
  readonly after?: string | undefined;
  /** Those that no product shows, and that are none `ofCollections`. */
  readonly unused?: true | undefined;
  /** Those that a product shows, or that are some `ofCollections`. */
  readonly used?: true | undefined;
  readonly ofCollections?: readonly string[] | undefined;
  readonly rows: number;
}

const isOfProduct = sql`EXISTS (SELECT 1 FROM ${productMedia} WHERE ${productMedia.mediaId} = ${media.id})`;

/** Returns media, newest first. */
export const listMediumRows = preparedByFilters<MediumFilters>()((db, given) => {
  const isOfCollection = given.has("ofCollections")
    ? inArray(media.id, given.each("ofCollections"))
    : sql`1 = 0`;
  return db
    .select()
    .from(media)
    .where(
      and(
        given.has("after") ? lt(media.id, given.one("after")) : undefined,
        given.has("unused") ? sql`NOT (${isOfProduct} OR ${isOfCollection})` : undefined,
        given.has("used") ? sql`(${isOfProduct} OR ${isOfCollection})` : undefined,
      ),
    )
    .orderBy(desc(media.id))
    .limit(given.one("rows"));
});

/** Writes what is known of the medium's files: the wire tells nothing of them, so the version stays. */
export const saveMediumFiles = preparedWrite<{ id: string; files: Medium["files"] }>()((tx, at) =>
  tx
    .update(media)
    .set({ files: sql`${sql.param(at.files, media.files)}` })
    .where(eq(media.id, at.id)),
);

const nextMedia = prepared<{ id: string; rows: number }>()((db, at) =>
  db.select().from(media).where(gt(media.id, at.id)).orderBy(asc(media.id)).limit(at.rows),
);

/** The media after this id, oldest first. */
export function mediaAfter(
  db: Reader,
  after: { readonly id: string; readonly rows: number },
): Promise<Medium[]> {
  return nextMedia(db, after);
}

/** Products that show the medium, or have a variant that does, oldest first. */
export const productsOfMedium = prepared<{ mediaId: string; rows: number }>()((db, at) =>
  db
    .select({ productId: productMedia.productId })
    .from(productMedia)
    .where(eq(productMedia.mediaId, at.mediaId))
    .orderBy(asc(productMedia.productId))
    .limit(at.rows),
);

/** The pictures of the products after this id, oldest first. */
export const productPicturesAfter = prepared<{ id: string; rows: number }>()((db, at) =>
  db
    .select({ id: products.id, images: products.images })
    .from(products)
    .where(gt(products.id, at.id))
    .orderBy(asc(products.id))
    .limit(at.rows),
);

/** Rows of `product_media` of these products. */
export const usesOfProducts = preparedByFilters<{ productIds: readonly string[] }>()((db, given) =>
  db
    .select({ productId: productMedia.productId, mediaId: productMedia.mediaId })
    .from(productMedia)
    .where(inArray(productMedia.productId, given.each("productIds"))),
);

/** The pictures that variants of the products have of their own. */
export const picturesOfVariants = preparedByFilters<{ productIds: readonly string[] }>()(
  (db, given) =>
    db
      .select({ productId: variants.productId, image: variants.image })
      .from(variants)
      .where(and(inArray(variants.productId, given.each("productIds")), isNotNull(variants.image))),
);

const removeUses = preparedWrite<{ productId: string }>()((tx, at) =>
  tx.delete(productMedia).where(eq(productMedia.productId, at.productId)),
);
const addUse = preparedInsert(productMedia);

/** Replaces the product's rows in `product_media`. */
export async function replaceUses(
  tx: Tx,
  productId: Id<"product">,
  mediaIds: readonly Id<"medium">[],
): Promise<void> {
  await removeUses(tx, { productId });
  for (const mediaId of new Set(mediaIds)) await addUse(tx, { mediaId, productId });
}

const onlyAddress = prepared()((db) => db.select().from(mediaAddress));

/** The beginning of the addresses of files; undefined in a shop that was never served. */
export const findMediaAddress = rememberedOne(
  [mediaAddress],
  async (db) => (await onlyAddress(db, {}))[0],
);

export const putMediaAddress = preparedWrite<{ id: number; url: string }>()((tx, at) =>
  tx
    .insert(mediaAddress)
    .values({ id: at.id, url: at.url })
    .onConflictDoUpdate({ target: mediaAddress.id, set: { url: sql`excluded.url` } }),
);

/** The pictures of all collections, and no picture where one has none. */
export const picturesOfCollections = prepared()((db) =>
  db
    .select({ id: collections.id, image: collections.image })
    .from(collections)
    .orderBy(collections.id),
);
