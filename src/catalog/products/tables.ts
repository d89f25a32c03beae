// Products, their variants with prices, and what lists find and sort them by.

import { sql } from "drizzle-orm";

import type { Image } from "#catalog/media/image.ts";
import type { OptionValues, Price, ProductOption } from "#catalog/variants/variant-values.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineKind, type Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import {
  bool,
  check,
  foreignKey,
  index,
  int,
  json,
  money,
  primaryKey,
  text,
  time,
  uniqueIndex,
} from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

import type { ProductStatus } from "./product-values.ts";

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

export type ProductRow = RowOf<typeof products>;
export type VariantRow = RowOf<typeof variants>;
