// Reads of tax rates for other folders and routes.

import { type AreaOfAddress, closenessOf, foldAddress, foldArea } from "#kernel/area.ts";
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

/** Returns true if the shop has a tax rate, even one that has ended. */
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
export interface TaxPlace extends AreaOfAddress {
  readonly country: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** The rates of a country, each with its area as areas are compared. */
const rememberedRates = rememberedTerms(async (db, country: string) => {
  const rates = await ratesOfCountry(db, { country });
  return rates.map((rate) => ({ rate, area: foldArea(rate) }));
});

/**
 * Returns the rates that hold at the time in the area that is the closest to the place, oldest first: they replace all
 * those of wider areas.
 */
export async function findRatesHolding(
  db: Reader,
  store: Pick<Store, "priceTermsVersion">,
  { atMs, ...place }: TaxPlace,
): Promise<TaxRate[]> {
  const at = foldAddress(place);
  let [best, closest]: [number, TaxRate[]] = [0, []];
  for (const { rate, area } of await rememberedRates(db, store, place.country)) {
    const closeness = holdsAt(rate, atMs) ? closenessOf(area, at) : -1;
    if (closeness > best) [best, closest] = [closeness, []];
    if (closeness === best) closest.push(rate);
  }
  return closest;
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
