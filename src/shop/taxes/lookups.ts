// Reads of tax rates for other folders and routes.

import { foldRegion } from "#kernel/address.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import type { Place } from "#kernel/refusal.ts";
import { instantOrDayMs } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";
import { rememberedTerms } from "#shop/store/price-terms.ts";
import type { Store } from "#shop/store/store.ts";

import {
  anyRate,
  listTaxRateRows,
  rateOfClass,
  ratesOfCountry,
  type TaxRateFilters,
} from "./queries.ts";
import { commonClasses, holdsAt, type TaxRate } from "./tax-rate.ts";

/** Returns true if the shop has any tax rate, ended ones included. */
export async function hasTaxRates(db: Reader): Promise<boolean> {
  return (await anyRate(db, {})).length > 0;
}

/**
 * Adds a fault at the pointer unless goods may have the class at this time: a common one, or one of a rate that has
 * not ended.
 */
export async function checkTaxClass(
  db: Reader,
  { taxClass, atMs }: { readonly taxClass: string; readonly atMs: number },
  { pointer, faults }: Place,
): Promise<void> {
  if (commonClasses.includes(taxClass)) return;
  if ((await rateOfClass(db, { taxClass, atMs })).length > 0) return;
  const detail = `No tax rate has this class. Without one it is ${commonClasses.join(", ")}.`;
  faults.add(pointer, "unknown_tax_class", detail);
}

/** The place and time at which a sale is taxed. */
export interface TaxPlace {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** As an address has it. */
  readonly region: string | null;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

const rememberedRates = rememberedTerms((db, country: string) => ratesOfCountry(db, { country }));

/** Returns the rates of the country and of the region that hold at the time, oldest first. */
export async function findRatesHolding(
  db: Reader,
  store: Pick<Store, "priceTermsVersion">,
  { country, region, atMs }: TaxPlace,
): Promise<TaxRate[]> {
  const regionKey = foldRegion(region ?? "");
  const rates = await rememberedRates(db, store, country);
  return rates.filter(
    (rate) => (rate.regionKey === "" || rate.regionKey === regionKey) && holdsAt(rate, atMs),
  );
}

export interface TaxRateSearch {
  readonly country: string | undefined;
  /** An instant or a day of the wire: the rates that hold at it. */
  readonly activeAt: string | undefined;
}

/** Returns a page of rates, newest first. A day stands for its first instant in the store's time zone. */
export async function listTaxRates(
  db: Reader,
  { country, activeAt }: TaxRateSearch,
  page: PageRequest,
): Promise<Page<TaxRate>> {
  const filters: TaxRateFilters =
    activeAt === undefined
      ? { country }
      : { country, activeAt: instantOrDayMs(activeAt, (await getStore(db)).timezone) };
  return listTaxRateRows(db, filters, page);
}
