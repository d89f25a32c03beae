// The projection of the event log that summaries are read from: sums only, kept at every resolution of
// `slots.ts`. Invariant: everything here follows from the log up to the cursor "analytics", and can
// be made anew from it.

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

/** What figures are of: a currency with a channel, or with all of them where it is "*". */
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
    started: int().notNull(),
    abandoned: int().notNull(),
    recovered: int().notNull(),
    recoveredMinor: money("recovered_minor").notNull(),
    attempts: int().notNull(),
    succeeded: int().notNull(),
    failed: int().notNull(),
  },
  (row) => [primaryKey({ columns: [row.scope, row.resolution, row.bucket] })],
);

/** Figures of variants, payment methods, failure codes and so on; narrow, because they are many. */
export const parts = table(
  "analytics_parts",
  {
    scope: int().notNull(),
    resolution: int("level").notNull(),
    bucket: int().notNull(),
    kind: int().$type<PartKind>().notNull(),
    /** The number of its name, or the step of the histogram of seconds. */
    part: int().notNull(),
    /** The name of the product that a variant is of; 0 for anything else. */
    owner: int().notNull(),
    count: int().notNull(),
    units: money().notNull(),
    grossMinor: money("gross_minor").notNull(),
    netMinor: money("net_minor").notNull(),
  },
  (row) => [primaryKey({ columns: [row.scope, row.resolution, row.bucket, row.kind, row.part] })],
);

/** What the numbers of parts stand for; the words are those that were heard last. */
export const names = table(
  "analytics_names",
  {
    number: int().primaryKey(),
    /** The kind of thing: a product, a variant, a method, a provider or a failure code. */
    kind: text().notNull(),
    name: text().notNull(),
    title: text(),
    sku: text(),
  },
  (row) => [uniqueIndex("analytics_names_unique").on(row.name, row.kind)],
);

/** How many orders were paid in a bucket by customers who had paid the one before in another. */
export const purchases = table(
  "analytics_purchases",
  {
    scope: int().notNull(),
    /** A slot or a day. */
    resolution: int("level").notNull(),
    bucket: int().notNull(),
    /** The bucket of the purchase before; -1 for a customer's first. */
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

/** When each customer bought last, by scope. */
export const customers = table(
  "analytics_buyers",
  {
    scope: int().notNull(),
    customerId: text("customer_id").notNull(),
    lastSlot: int("last_quarter").notNull(),
  },
  (row) => [primaryKey({ columns: [row.scope, row.customerId] })],
);

/** Carts whose checkout began, and carts and orders that were left. */
export const checkouts = table("analytics_checkouts", {
  subject: text().primaryKey(),
  isLeft: bool("is_left").notNull(),
});

/** How much of each sale went back. */
export const refunded = table(
  "analytics_refunded",
  { orderId: text("order_id").primaryKey(), refundedMinor: money("refunded_minor").notNull() },
  (row) => [check("analytics_refunded_not_negative", sql`${row.refundedMinor} >= 0`)],
);
