// Products, their variants with prices, and what lists find and sort them by; then media, collections and stock.

import { type SQL, sql } from "drizzle-orm";

import type { CurrencyCode } from "#kernel/currency.ts";
import { defineKind, type Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { Actor } from "#platform/database/database.ts";
import {
  bool,
  check,
  foreignKey,
  index,
  int,
  isTrue,
  json,
  money,
  primaryKey,
  text,
  time,
  uniqueIndex,
  units,
} from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

import type {
  CollectionRule,
  MediumFile,
  MemberOrder,
  OptionValues,
  Price,
  ProductOption,
  ProductStatus,
} from "./column-types.ts";
import type { Image } from "./image.ts";
import type { Backorder, MovementReason } from "./inventory.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    product: "prod";
    variant: "var";
  }
}
defineKind("product", "prod");
defineKind("variant", "var");

export const products = record(
  "products",
  {
    id: id("product").primaryKey(),
    name: plain(text().notNull()),
    slug: plain(text().notNull()),
    description: plain(text().notNull()),
    status: text().$type<ProductStatus>().notNull(),
    category: plain(text()),
    tags: plain(json().$type<readonly string[]>().notNull()),
    images: plain(json().$type<readonly Image[]>().notNull()),
    options: plain(json().$type<readonly ProductOption[]>().notNull()),
    metadata: plain(json().$type<Metadata>().notNull()),
    /** Which tax rates the product is taxed by. */
    taxClass: plain(text().notNull().default("standard")),
    brand: plain(text()),
    seoTitle: plain(text()),
    seoDescription: plain(text()),
    /** The key by which names are sorted; empty where the program has not yet folded the name of an older version. */
    nameKey: plain(text().notNull().default("")),
    /** In the order in which they are shown. Those that were deleted meanwhile are left out of what is read. */
    relatedProductIds: plain(
      json()
        .$type<readonly Id<"product">[]>()
        .notNull()
        .default(sql`'[]'`),
    ),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("products_slug_unique").on(row.slug),
    index("products_status_index").on(row.status, row.id),
    index("products_category_index").on(row.category, row.id),
    index("products_brand_index")
      .on(row.brand, row.id)
      .where(sql`brand IS NOT NULL`),
    index("products_name_index").on(row.nameKey, row.id),
  ],
);

/** One row per tag of a product, so that the filter by tag uses an index. */
export const productTags = record(
  "product_tags",
  {
    tag: plain(text().notNull()),
    productId: id("product").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.tag, row.productId] }),
    index("product_tags_product_index").on(row.productId),
    foreignKey({ columns: [row.productId], foreignColumns: [products.id] }).onDelete("cascade"),
  ],
);

/** The lowest price of the variants that are not archived, per currency. */
export const productPrices = record(
  "product_prices",
  {
    productId: id("product").notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    amountMinor: money().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.productId, row.currency] }),
    index("product_prices_amount_index").on(row.currency, row.amountMinor, row.productId),
    foreignKey({ columns: [row.productId], foreignColumns: [products.id] }).onDelete("cascade"),
  ],
);

/** Slugs that products had before, each with the product that had it last. */
export const productSlugs = record(
  "product_slugs",
  {
    slug: plain(text().primaryKey()),
    productId: id("product").notNull(),
  },
  (row) => [
    index("product_slugs_product_index").on(row.productId),
    foreignKey({ columns: [row.productId], foreignColumns: [products.id] }).onDelete("cascade"),
  ],
);

export const variants = record(
  "variants",
  {
    id: id("variant").primaryKey(),
    productId: id("product").notNull(),
    position: int().notNull(),
    sku: plain(text()),
    barcode: plain(text()),
    title: plain(text().notNull()),
    options: plain(json().$type<OptionValues>().notNull()),
    /** Integer minor units, one per currency. */
    prices: plain(json().$type<readonly Price[]>().notNull()),
    weightGrams: int(),
    /** False for what is not sent, such as a gift card or a service. */
    requiresShipping: bool().notNull().default(true),
    /** Null where the variant shows what its product shows, and of one that is archived. */
    image: plain(json().$type<Image>()),
    metadata: plain(json().$type<Metadata>().notNull()),
    /** The instant of the first order; from then on a deletion archives the variant. */
    firstSoldAt: time(),
    archivedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (row) => [
    uniqueIndex("variants_sku_unique").on(row.sku),
    index("variants_product_index").on(row.productId, row.position),
    foreignKey({ columns: [row.productId], foreignColumns: [products.id] }),
    check("variants_weight_not_negative", sql`${row.weightGrams} >= 0`),
  ],
);

/** One row per option of a variant that is not archived, by folded name and value, so that filters use an index. */
export const variantOptions = record(
  "variant_options",
  {
    nameKey: plain(text().notNull()),
    valueKey: plain(text().notNull()),
    variantId: id("variant").notNull(),
    productId: id("product").notNull(),
    name: plain(text().notNull()),
    value: plain(text().notNull()),
  },
  (row) => [
    primaryKey({ columns: [row.nameKey, row.valueKey, row.variantId] }),
    // All that facets read, so that they read no row.
    index("variant_options_product_index").on(
      row.productId,
      row.nameKey,
      row.valueKey,
      row.name,
      row.value,
    ),
    foreignKey({ columns: [row.productId], foreignColumns: [products.id] }).onDelete("cascade"),
  ],
);

/**
 * Words of products by keys: their first letters, and these less one. Two words that differ by one letter share a key. A
 * word stays when its products go.
 */
export const searchSpellings = record(
  "search_spellings",
  {
    key: plain(text().notNull()),
    word: plain(text().notNull()),
  },
  (row) => [primaryKey({ columns: [row.key, row.word] })],
);

/** One row while products of older versions are read for the tables above, up to one of them; afterwards none. */
export const productIndexing = record(
  "product_indexing",
  {
    id: int().primaryKey(),
    /** The last product that was read. */
    after: plain(text().notNull()),
  },
  (row) => [check("product_indexing_is_one_row", sql`${row.id} = 1`)],
);

export type ProductRow = RowOf<typeof products>;
export type VariantRow = RowOf<typeof variants>;
export type VariantOptionRow = RowOf<typeof variantOptions>;

// Pictures that were uploaded, which products show them, and where they are served.

declare module "#kernel/id.ts" {
  interface IdKinds {
    medium: "med";
  }
}
defineKind("medium", "med");

export const media = record(
  "media",
  {
    id: id("medium").primaryKey(),
    /** The hash of the bytes that were sent, in hexadecimal. */
    sha256: plain(text().notNull()),
    width: int().notNull(),
    height: int().notNull(),
    alt: plain(text().notNull()),
    /** A data URL. */
    placeholder: plain(text().notNull()),
    /** By width, ascending; the last is as wide as the picture. */
    files: plain(json().$type<readonly MediumFile[]>().notNull()),
    ...stamps(),
  },
  (row) => [uniqueIndex("media_sha256_unique").on(row.sha256)],
);

/** One row per medium of a product, so that a medium that is in use is not deleted. */
export const productMedia = record(
  "product_media",
  {
    mediaId: id("medium").notNull(),
    productId: id("product").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.mediaId, row.productId] }),
    index("product_media_product_index").on(row.productId),
    foreignKey({ columns: [row.mediaId], foreignColumns: [media.id] }),
    foreignKey({ columns: [row.productId], foreignColumns: [products.id] }).onDelete("cascade"),
  ],
);

/** One row: what the addresses of files begin with, without a final slash. */
export const mediaAddress = record(
  "media_address",
  {
    id: int().primaryKey(),
    url: plain(text().notNull()),
  },
  (row) => [check("media_address_is_one_row", sql`${row.id} = 1`)],
);

export type Medium = RowOf<typeof media>;

// Collections of products, the members of those that are picked by hand, and former slugs.

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
    metadata: plain(
      json()
        .$type<Metadata>()
        .notNull()
        .default(sql`'{}'`),
    ),
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

// Stock levels and the ledger behind them. Invariant: a level equals the sum of its movements, and
// every change of one is written with the other.

declare module "#kernel/id.ts" {
  interface IdKinds {
    movement: "mov";
  }
}
defineKind("movement", "mov", "stock movement");

/**
 * The condition of the partial index of low levels. A query has the same text, without which SQLite does not use the
 * index. The column must be left of the expression: SQLite swaps the sides of a condition that is written otherwise,
 * and then no longer matches it to the index.
 */
export const isLowRow: SQL = sql`${isTrue("tracked")} AND low_stock_threshold > on_hand - reserved`;

export const inventoryLevels = record(
  "inventory_levels",
  {
    variantId: id("variant").primaryKey(),
    productId: id("product").notNull(),
    sku: plain(text()),
    onHand: units().notNull(),
    reserved: units().notNull(),
    lowStockThreshold: int().notNull(),
    tracked: bool().notNull(),
    backorder: text().$type<Backorder>().notNull(),
    version: int().notNull(),
    updatedAt: time().notNull(),
    /** When the variant was deleted although it was sold: open orders still reserve its stock. */
    archivedAt: time(),
    /** The newest movement of the variant, where its ledger begins; null if it never moved. */
    lastMovementId: id("movement"),
    /** The one before it: the statement that changes the counts returns it for the new movement. */
    previousMovementId: id("movement"),
  },
  (row) => [
    check("inventory_levels_on_hand_not_negative", sql`${row.onHand} >= 0`),
    check("inventory_levels_reserved_not_negative", sql`${row.reserved} >= 0`),
    check("inventory_levels_threshold_not_negative", sql`${row.lowStockThreshold} >= 0`),
    index("inventory_levels_product_index").on(row.productId, row.variantId),
    index("inventory_levels_sku_index").on(row.sku),
    index("inventory_levels_low_index").on(row.tracked, row.variantId).where(isLowRow),
  ],
);

/**
 * Append-only. Balances are the counts after the movement. The movements of a variant are a chain from its level
 * backwards: an index by variant would write a page for each variant that is sold, and was half of what a sale wrote.
 */
export const inventoryMovements = record(
  "inventory_movements",
  {
    id: id("movement").primaryKey(),
    /** The movement of the same variant before this one; null for its first. */
    previousId: id("movement"),
    variantId: id("variant").notNull(),
    deltaOnHand: units().notNull(),
    deltaReserved: units().notNull(),
    reason: text().$type<MovementReason>().notNull(),
    orderId: id("order"),
    note: plain(text()),
    actor: plain(json().$type<Actor>().notNull()),
    balanceOnHand: units().notNull(),
    balanceReserved: units().notNull(),
    createdAt: time().notNull(),
  },
  () => [],
);
