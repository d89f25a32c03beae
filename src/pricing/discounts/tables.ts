// Discounts, their codes, and who used them. Invariant: where there is a limit, the count that it limits equals the
// uses that count. Without a limit no count is kept, because all orders would then wait for one row, or write one
// more; uses are counted instead.

import { sql } from "drizzle-orm";

import { defineKind } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import {
  bool,
  check,
  foreignKey,
  index,
  int,
  json,
  primaryKey,
  text,
  time,
} from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

import type { DiscountScope, DiscountTarget, DiscountTerms, Minimum } from "./discount-terms.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    discount: "disc";
  }
}
defineKind("discount", "disc");

export const discounts = record(
  "discounts",
  {
    id: id("discount").primaryKey(),
    title: plain(text().notNull()),
    target: text().$type<DiscountTarget>().notNull(),
    terms: plain(json().$type<DiscountTerms>().notNull()),
    /** Null means every line. */
    scope: plain(json().$type<DiscountScope>()),
    minimum: plain(json().$type<Minimum>().notNull()),
    /** Stored, so that a discount whose last code is deleted does not apply to every order. */
    isAutomatic: bool().notNull(),
    isStackable: bool().notNull(),
    usageLimit: int(),
    perCustomerLimit: int(),
    /** The customer must have one of these; none without a restriction. */
    customerTags: plain(json().$type<readonly string[]>().notNull()),
    usedCount: int().notNull(),
    startsAt: time(),
    endsAt: time(),
    archivedAt: time(),
    metadata: plain(json().$type<Metadata>().notNull()),
    ...stamps(),
  },
  (row) => [
    index("discounts_automatic_index").on(row.isAutomatic, row.archivedAt, row.id),
    check("discounts_used_count_not_negative", sql`${row.usedCount} >= 0`),
    check(
      "discounts_used_within_limit",
      sql`${row.usageLimit} IS NULL OR ${row.usedCount} <= ${row.usageLimit}`,
    ),
  ],
);

export const discountCodes = record(
  "discount_codes",
  {
    /** Folded, and therefore unique however it is typed. */
    code: plain(text().primaryKey()),
    discountId: id("discount").notNull(),
    usageLimit: int(),
    usedCount: int().notNull(),
    createdAt: time().notNull(),
  },
  (row) => [
    index("discount_codes_discount_index").on(row.discountId, row.code),
    foreignKey({ columns: [row.discountId], foreignColumns: [discounts.id] }).onDelete("cascade"),
    check("discount_codes_used_count_not_negative", sql`${row.usedCount} >= 0`),
    check(
      "discount_codes_used_within_limit",
      sql`${row.usageLimit} IS NULL OR ${row.usedCount} <= ${row.usageLimit}`,
    ),
  ],
);

/** The discounts of each order. A use that was given back stays and no longer counts. */
export const discountUses = record(
  "discount_uses",
  {
    discountId: id("discount").notNull(),
    orderId: id("order").notNull(),
    code: plain(text()),
    customerId: id("customer"),
    counted: bool().notNull(),
    createdAt: time().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.orderId, row.discountId] }),
    index("discount_uses_code_index")
      .on(row.code)
      .where(sql`code IS NOT NULL`),
    index("discount_uses_discount_index").on(row.discountId, row.counted),
    foreignKey({ columns: [row.discountId], foreignColumns: [discounts.id] }),
  ],
);

/** How often each customer used a discount that has a limit per customer; of others no row is kept. */
export const discountCustomers = record(
  "discount_buyers",
  {
    discountId: id("discount").notNull(),
    customerId: id("customer").notNull(),
    uses: int().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.discountId, row.customerId] }),
    foreignKey({ columns: [row.discountId], foreignColumns: [discounts.id] }),
    check("discount_buyers_uses_not_negative", sql`${row.uses} >= 0`),
  ],
);

export type DiscountRow = RowOf<typeof discounts>;
export type DiscountCodeRow = RowOf<typeof discountCodes>;
