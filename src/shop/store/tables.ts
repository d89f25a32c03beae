// The shop's settings: one row per mode, inserted with the database. Both modes have the same id.

import { sql } from "drizzle-orm";

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { check, int, table, text, time } from "#platform/database/kit.ts";

export const store = table(
  "store",
  {
    id: text().$type<Id<"store">>().primaryKey(),
    name: text().notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    timezone: text().notNull(),
    lowStockThreshold: int("low_stock_threshold").notNull(),
    /** Null: unpaid orders never expire. */
    orderExpiryMinutes: int("order_expiry_minutes"),
    recoveryUrlTemplate: text("recovery_url_template"),
    version: int().notNull(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (row) => [
    check("store_low_stock_threshold_not_negative", sql`${row.lowStockThreshold} >= 0`),
    check("store_order_expiry_positive", sql`${row.orderExpiryMinutes} > 0`),
  ],
);
