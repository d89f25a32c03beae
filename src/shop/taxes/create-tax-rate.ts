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
import { type NewTaxRate, taxRateFields } from "./schema.ts";
import {
  EXEMPT_CLASS,
  newTaxRate,
  refuseExcess,
  refuseRivals,
  rivalsOf,
  type TaxRate,
} from "./tax-rate.ts";

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
  given: NewTaxRate,
  { timezone, now }: { readonly timezone: string; readonly now: number },
): TaxRate {
  const faults = new Faults();
  const fields = taxRateFields.readNew(given, faults);
  if (!isCountry(fields.country)) {
    faults.add("/country", "invalid_choice", "The value is not the ISO 3166-1 code of a country.");
  }
  if (fields.region !== null && foldRegion(fields.region) === "") {
    faults.add("/region", "invalid_format", "The region has neither a letter nor a digit.");
  }
  if (fields.taxClass === EXEMPT_CLASS) {
    faults.add("/tax_class", "invalid_choice", "Products of class exempt are never taxed.");
  }
  const millionths = readPercent(given.rate, { faults, pointer: "/rate" }) ?? 0;
  faults.refuseIfAny();
  const { valid_from: start } = given;
  const validFrom = start === undefined ? now : instantOrDayMs(start, timezone);
  return newTaxRate({ ...fields, millionths, validFrom }, now);
}
