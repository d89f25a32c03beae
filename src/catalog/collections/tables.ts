// Collections of products, the members of those that are picked by hand, and former slugs.

import type { MemberOrder } from "#catalog/listing/orders.ts";
import type { Image } from "#catalog/media/image.ts";
import { products } from "#catalog/products/tables.ts";
import { defineKind } from "#kernel/id.ts";
import {
  bool,
  foreignKey,
  index,
  int,
  json,
  primaryKey,
  text,
  uniqueIndex,
} from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

import type { CollectionRule } from "./collection-values.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    collection: "col";
  }
}
defineKind("collection", "col");

export const collections = record(
  "collections",
  {
    id: id("collection").primaryKey(),
    title: plain(text().notNull()),
    slug: plain(text().notNull()),
    description: plain(text().notNull()),
    image: plain(json().$type<Image>()),
    /** Null where the products are picked by hand. */
    rule: plain(json().$type<CollectionRule>()),
    sort: text().$type<MemberOrder>().notNull(),
    seoTitle: plain(text()),
    seoDescription: plain(text()),
    isPublished: bool().notNull(),
    /** No foreign key: rows are copied in the order of their ids, and a parent may be younger. */
    parentId: id("collection"),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("collections_slug_unique").on(row.slug),
    index("collections_parent_index").on(row.parentId, row.id),
  ],
);

/** The products of a collection that are picked by hand. Those of a rule have no rows. */
export const collectionProducts = record(
  "collection_products",
  {
    collectionId: id("collection").notNull(),
    /** From 0. A product that is removed leaves a gap. */
    position: int().notNull(),
    productId: id("product").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.collectionId, row.position] }),
    uniqueIndex("collection_products_product_unique").on(row.productId, row.collectionId),
    foreignKey({ columns: [row.collectionId], foreignColumns: [collections.id] }).onDelete(
      "cascade",
    ),
    foreignKey({ columns: [row.productId], foreignColumns: [products.id] }).onDelete("cascade"),
  ],
);

/** Slugs that collections had before, each with the collection that had it last. */
export const collectionSlugs = record(
  "collection_slugs",
  {
    slug: plain(text().primaryKey()),
    collectionId: id("collection").notNull(),
  },
  (row) => [
    index("collection_slugs_collection_index").on(row.collectionId),
    foreignKey({ columns: [row.collectionId], foreignColumns: [collections.id] }).onDelete(
      "cascade",
    ),
  ],
);

export type CollectionRow = RowOf<typeof collections>;
