// Tax rates: dated rows, so that what held at a time can be found later.

import { sql } from "drizzle-orm";

import { defineKind } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { check, index, int, json, text, time } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    taxRate: "txr";
  }
}
defineKind("taxRate", "txr", "tax rate");

export const taxRates = record(
  "tax_rates",
  {
    id: id("taxRate").primaryKey(),
    /** ISO 3166-1 alpha-2. */
    country: plain(text().notNull()),
    /** As the merchant wrote it; null: the whole country. */
    region: plain(text()),
    /** The region or the postal prefix as they are compared; empty for the whole country. */
    regionKey: plain(text().notNull()),
    /** The beginning of the postal codes of the area, as the merchant wrote it; null: all of them. */
    postalPrefix: plain(text()),
    taxClass: plain(text().notNull()),
    name: plain(text().notNull()),
    /** Parts per million: 7.5 % is 75,000. */
    millionths: int().notNull(),
    /** The first instant at which the rate holds. */
    validFrom: time().notNull(),
    /** The first instant at which it no longer holds; null: it has no end yet. */
    validUntil: time(),
    metadata: plain(
      json()
        .$type<Metadata>()
        .notNull()
        .default(sql`'{}'`),
    ),
    ...stamps(),
  },
  (row) => [
    index("tax_rates_country_index").on(row.country, row.id),
    index("tax_rates_class_index").on(row.taxClass),
    check("tax_rates_millionths_in_range", sql`${row.millionths} BETWEEN 0 AND 1000000`),
    check("tax_rates_end_after_start", sql`${row.validUntil} >= ${row.validFrom}`),
  ],
);

export type TaxRateRow = RowOf<typeof taxRates>;
