// The tables of the projection: sums of the event log at every resolution of `slots.ts`. Invariant: all
// rows follow from the log up to the cursor "analytics" and can be rebuilt from it.

import { sql } from "drizzle-orm";

import type { CurrencyCode } from "#kernel/currency.ts";
import {
  bool,
  check,
  index,
  int,
  money,
  primaryKey,
  table,
  text,
  uniqueIndex,
} from "#platform/database/kit.ts";

import type { PartKind } from "./figures.ts";

/** A scope of figures: a currency with one channel, or with all channels as "*". */
export const scopes = table(
  "analytics_scopes",
  {
    number: int().primaryKey(),
    currency: text().$type<CurrencyCode>().notNull(),
    channel: text().notNull(),
  },
  (row) => [uniqueIndex("analytics_scopes_unique").on(row.currency, row.channel)],
);

export const figures = table(
  "analytics_figures",
  {
    scope: int().notNull(),
    resolution: int("level").notNull(),
    bucket: int().notNull(),
    placed: int().notNull(),
    paid: int().notNull(),
    fulfilled: int().notNull(),
    cancelled: int().notNull(),
    expired: int().notNull(),
    unitsSold: money("units_sold").notNull(),
    grossMinor: money("gross_minor").notNull(),
    discountMinor: money("discount_minor").notNull(),
    refundedMinor: money("refunded_minor").notNull(),
    shippingMinor: money("shipping_minor").notNull(),
    taxMinor: money("tax_minor").notNull(),
    includedTaxMinor: money("included_tax_minor").notNull().default(0),
    refundedTaxMinor: money("refunded_tax_minor").notNull().default(0),
    keptMinor: money("kept_minor").notNull().default(0),
    writtenOffMinor: money("written_off_minor").notNull().default(0),
    writtenOffOfSalesMinor: money("written_off_of_sales_minor").notNull().default(0),
    started: int().notNull(),
    abandoned: int().notNull(),
    abandonedDiscounted: int("abandoned_discounted").notNull().default(0),
    recovered: int().notNull(),
    recoveredMinor: money("recovered_minor").notNull(),
    attempts: int().notNull(),
    succeeded: int().notNull(),
    failed: int().notNull(),
  },
  (row) => [primaryKey({ columns: [row.scope, row.resolution, row.bucket] })],
);

/** Figures of variants, payment methods, failure codes and so on. Few columns, because rows are many. */
export const parts = table(
  "analytics_parts",
  {
    scope: int().notNull(),
    resolution: int("level").notNull(),
    bucket: int().notNull(),
    kind: int().$type<PartKind>().notNull(),
    /** The number of its name, or the step of the histogram. */
    part: int().notNull(),
    /** The number of a variant's product; 0 for other kinds. */
    owner: int().notNull(),
    count: int().notNull(),
    units: money().notNull(),
    grossMinor: money("gross_minor").notNull(),
    netMinor: money("net_minor").notNull(),
  },
  (row) => [primaryKey({ columns: [row.scope, row.resolution, row.bucket, row.kind, row.part] })],
);

/** The names of parts by number, with the latest title and SKU. */
export const names = table(
  "analytics_names",
  {
    number: int().primaryKey(),
    /** The kind of thing: a product, a variant, a method, a provider, a failure code, a discount or a tax. */
    kind: text().notNull(),
    name: text().notNull(),
    title: text(),
    sku: text(),
  },
  (row) => [uniqueIndex("analytics_names_unique").on(row.name, row.kind)],
);

/** Paid orders per bucket, by the bucket of the customer's previous paid order. */
export const purchases = table(
  "analytics_purchases",
  {
    scope: int().notNull(),
    /** A slot or a day. */
    resolution: int("level").notNull(),
    bucket: int().notNull(),
    /** The bucket of the previous purchase; -1 for a customer's first. */
    previous: int().notNull(),
    count: int().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.scope, row.resolution, row.bucket, row.previous] }),
    index("analytics_purchases_previous_index")
      .on(row.scope, row.previous, row.bucket)
      .where(sql`level = 1`),
  ],
);

/** The last purchase of each customer, by scope. */
export const customers = table(
  "analytics_buyers",
  {
    scope: int().notNull(),
    customerId: text("customer_id").notNull(),
    lastSlot: int("last_quarter").notNull(),
  },
  (row) => [primaryKey({ columns: [row.scope, row.customerId] })],
);

/** Carts that started a checkout, and carts and orders that were abandoned. */
export const checkouts = table("analytics_checkouts", {
  subject: text().primaryKey(),
  isLeft: bool("is_left").notNull(),
});

/** The refunded amount of each sale. */
export const refunded = table(
  "analytics_refunded",
  { orderId: text("order_id").primaryKey(), refundedMinor: money("refunded_minor").notNull() },
  (row) => [check("analytics_refunded_not_negative", sql`${row.refundedMinor} >= 0`)],
);
