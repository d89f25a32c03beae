// Products, their variants with prices, and their tags.

import { sql } from "drizzle-orm";

import type { OptionValues, Price, ProductOption } from "#catalog/variants/variant.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import {
  check,
  foreignKey,
  index,
  int,
  json,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from "#platform/database/kit.ts";

import type { Image, ProductStatus } from "./product.ts";

export const products = table(
  "products",
  {
    id: text().$type<Id<"product">>().primaryKey(),
    name: text().notNull(),
    slug: text().notNull(),
    description: text().notNull(),
    status: text().$type<ProductStatus>().notNull(),
    category: text(),
    tags: json().$type<readonly string[]>().notNull(),
    images: json().$type<readonly Image[]>().notNull(),
    options: json().$type<readonly ProductOption[]>().notNull(),
    metadata: json().$type<Metadata>().notNull(),
    version: int().notNull(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (row) => [
    uniqueIndex("products_slug_unique").on(row.slug),
    index("products_status_index").on(row.status, row.id),
    index("products_category_index").on(row.category, row.id),
  ],
);

/** One row per tag of a product, so that the filter by tag uses an index. */
export const productTags = table(
  "product_tags",
  {
    tag: text().notNull(),
    productId: text("product_id").$type<Id<"product">>().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.tag, row.productId] }),
    index("product_tags_product_index").on(row.productId),
    foreignKey({ columns: [row.productId], foreignColumns: [products.id] }).onDelete("cascade"),
  ],
);

export const variants = table(
  "variants",
  {
    id: text().$type<Id<"variant">>().primaryKey(),
    productId: text("product_id").$type<Id<"product">>().notNull(),
    position: int().notNull(),
    sku: text(),
    barcode: text(),
    title: text().notNull(),
    options: json().$type<OptionValues>().notNull(),
    /** Integer minor units, one per currency. */
    prices: json().$type<readonly Price[]>().notNull(),
    weightGrams: int("weight_grams"),
    metadata: json().$type<Metadata>().notNull(),
    /** The instant of the first order; from then on a deletion archives the variant. */
    firstSoldAt: time("first_sold_at"),
    archivedAt: time("archived_at"),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (row) => [
    uniqueIndex("variants_sku_unique").on(row.sku),
    index("variants_product_index").on(row.productId, row.position),
    foreignKey({ columns: [row.productId], foreignColumns: [products.id] }),
    check("variants_weight_not_negative", sql`${row.weightGrams} >= 0`),
  ],
);
