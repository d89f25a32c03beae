// Story: create a tax rate.

import { foldRegion, isCountry } from "#kernel/address.ts";
import { readPercent } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import { instantOrDayMs } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";
import { storeCountryMissing } from "#shop/store/store.ts";

import { ratesOfCountry, taxRateRows } from "./queries.ts";
import {
  EXEMPT_CLASS,
  newTaxRate,
  refuseExcess,
  refuseRivals,
  rivalsOf,
  STANDARD_CLASS,
  type TaxRate,
} from "./tax-rate.ts";

export interface NewTaxRate {
  readonly country: string;
  readonly region: string | null;
  readonly taxClass: string | undefined;
  readonly name: string;
  /** In percent. */
  readonly rate: number | string;
  /** An instant or a day of the wire; undefined means now. */
  readonly validFrom: string | undefined;
}

/**
 * Inserts the rate, which has no end. The settings are locked, so that no other story adds a rate of the same
 * name meanwhile. Refuses with `validation_failed`, `store_country_missing` and `tax_rate_overlaps`.
 */
export async function createTaxRate(tx: Tx, given: NewTaxRate): Promise<TaxRate> {
  await lockPriceTerms(tx);
  const store = await getStore(tx);
  const rate = readTaxRate(given, { timezone: store.timezone, now: tx.now });
  if (store.country === null) throw storeCountryMissing();
  const others = await ratesOfCountry(tx, { country: rate.country });
  refuseRivals(rivalsOf(rate, others));
  refuseExcess(rate, others, "/rate");
  await taxRateRows.insert(tx, rate);
  return rate;
}

/** Refuses with `validation_failed` and all faults at once. */
function readTaxRate(
  { country, region, taxClass = STANDARD_CLASS, name, rate, validFrom }: NewTaxRate,
  { timezone, now }: { readonly timezone: string; readonly now: number },
): TaxRate {
  const faults = new Faults();
  if (!isCountry(country)) {
    faults.add("/country", "invalid_choice", "The value is not the ISO 3166-1 code of a country.");
  }
  const regionKey = foldRegion(region ?? "");
  if (region !== null && regionKey === "") {
    faults.add("/region", "invalid_format", "The region has neither a letter nor a digit.");
  }
  if (taxClass === EXEMPT_CLASS) {
    faults.add("/tax_class", "invalid_choice", "Products of class exempt are never taxed.");
  }
  const millionths = readPercent(rate, { faults, pointer: "/rate" }) ?? 0;
  faults.refuseIfAny();
  return newTaxRate(
    {
      country,
      region,
      taxClass,
      name,
      millionths,
      validFrom: validFrom === undefined ? now : instantOrDayMs(validFrom, timezone),
    },
    now,
  );
}
