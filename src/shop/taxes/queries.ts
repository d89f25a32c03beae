// SQL of tax rates beside the statements of every record.

import { and, asc, desc, eq, gt, isNull, lt, lte, or } from "drizzle-orm";

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { prepared, preparedByFilters } from "#platform/database/prepared.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { taxRates } from "./tables.ts";
import { type TaxRate, taxRateNotFound } from "./tax-rate.ts";

/** Statements of the row. `get` and `lock` refuse with `tax_rate_not_found`. */
export const taxRateRows = versionedStatements(taxRates, taxRateNotFound);

export interface TaxRateFilters {
  readonly country?: string | undefined;
  /** Epoch milliseconds: the rates that hold at this time. */
  readonly activeAt?: number | undefined;
}

const filteredRates = preparedByFilters<
  TaxRateFilters & { readonly after: string | undefined; readonly limit: number }
>()((db, given) =>
  db
    .select()
    .from(taxRates)
    .where(
      and(
        given.has("country") ? eq(taxRates.country, given.one("country")) : undefined,
        given.has("activeAt") ? lte(taxRates.validFrom, given.one("activeAt")) : undefined,
        given.has("activeAt")
          ? or(isNull(taxRates.validUntil), gt(taxRates.validUntil, given.one("activeAt")))
          : undefined,
        given.has("after") ? lt(taxRates.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(taxRates.id))
    .limit(given.one("limit")),
);

/** Returns a page of the rates that match, newest first. */
export async function listTaxRateRows(
  db: Reader,
  filters: TaxRateFilters,
  { limit, after }: PageRequest,
): Promise<Page<TaxRate>> {
  const found = filteredRates(db, { ...filters, after: after ?? undefined, limit: limit + 1 });
  return toPage(await found, limit);
}

/** All rates of a country, whenever they hold, oldest first. */
export const ratesOfCountry = prepared<{ country: string }>()((db, at) =>
  db.select().from(taxRates).where(eq(taxRates.country, at.country)).orderBy(asc(taxRates.id)),
);

/** One rate, if there is any. */
export const anyRate = prepared<Record<string, never>>()((db) =>
  db.select({ id: taxRates.id }).from(taxRates).limit(1),
);

/** One rate of the class that holds at a time or later, if there is any. */
export const rateOfClass = prepared<{ taxClass: string; atMs: number }>()((db, at) =>
  db
    .select({ id: taxRates.id })
    .from(taxRates)
    .where(
      and(
        eq(taxRates.taxClass, at.taxClass),
        or(isNull(taxRates.validUntil), gt(taxRates.validUntil, at.atMs)),
      ),
    )
    .limit(1),
);
