// Pictures that were uploaded, which products show them, and where they are served.

import { sql } from "drizzle-orm";

import { products } from "#catalog/products/tables.ts";
import { defineKind } from "#kernel/id.ts";
import {
  check,
  foreignKey,
  index,
  int,
  json,
  primaryKey,
  text,
  uniqueIndex,
} from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

import type { MediumFile } from "./medium-file.ts";

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
