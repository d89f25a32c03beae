// Story: write the preset tax rates of a country.

import { Faults } from "#kernel/refusal.ts";
import { dayStartMs } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";
import { storeCountryMissing } from "#shop/store/store.ts";

import { presets } from "./presets.ts";
import { ratesOfCountry, taxRateRows } from "./queries.ts";
import { newTaxRate, refuseExcess, refuseRivals, rivalsOf, type TaxRate } from "./tax-rate.ts";

/**
 * Afterwards the shop has the preset rates of the country, which are returned. A rate that the shop already has
 * with the same percentage is kept as it is, so that nothing is written a second time. Refuses with
 * `store_country_missing`, with `tax_rate_overlaps` where the shop has another percentage, and with
 * `validation_failed` for a country without presets, and where the rates would come to more than 100 %.
 */
export async function adoptPreset(tx: Tx, country: string): Promise<TaxRate[]> {
  await lockPriceTerms(tx);
  const store = await getStore(tx);
  const preset = presets.find((one) => one.country === country);
  if (preset === undefined) {
    const faults = new Faults();
    faults.add("/country", "invalid_choice", "There are no preset rates of this country.");
    faults.refuseIfAny();
    return [];
  }
  if (store.country === null) throw storeCountryMissing();
  const known = await ratesOfCountry(tx, { country });
  const rates: TaxRate[] = [];
  for (const { taxClass, name, millionths, validFrom: day } of preset.rates) {
    const validFrom = dayStartMs(day, store.timezone);
    const fields = { country, region: null, taxClass, name, millionths, validFrom };
    const rate = newTaxRate(fields, tx.now);
    const rivals = rivalsOf(rate, known);
    refuseRivals(rivals.filter((one) => one.millionths !== millionths));
    rates.push(...(rivals.length === 0 ? [rate] : rivals));
    if (rivals.length > 0) continue;
    refuseExcess(rate, known, "/country");
    await taxRateRows.insert(tx, rate);
    known.push(rate);
  }
  return rates;
}
