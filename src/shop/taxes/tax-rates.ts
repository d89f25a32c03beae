// Stories of tax rates: one is created, or given its end, and the preset ones of a country are written. Nothing else of
// a rate ever changes.

import { type Area, checkArea, foldArea } from "#kernel/area.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import { readPercent } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import { dayStartMs, instantOrDayMs } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";
import { storeCountryMissing } from "#shop/store/store.ts";

import { presets } from "./presets.ts";
import { ratesOfCountry, taxRateRows } from "./queries.ts";
import { type NewTaxRate, taxRateFields } from "./schema.ts";
import { EXEMPT_CLASS, refuseExcess, refuseRivals, rivalsOf, type TaxRate } from "./tax-rate.ts";

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
  checkArea(fields, "", faults);
  if (fields.taxClass === EXEMPT_CLASS) {
    faults.add("/tax_class", "invalid_choice", "Products of class exempt are never taxed.");
  }
  const millionths = readPercent(given.rate, { faults, pointer: "/rate" }) ?? 0;
  faults.refuseIfAny();
  const { valid_from: start } = given;
  const validFrom = start === undefined ? now : instantOrDayMs(start, timezone);
  return newTaxRate({ ...fields, millionths, validFrom }, now);
}

/** A rate without an end, not yet inserted. */
function newTaxRate(
  fields: Area & Pick<TaxRate, "taxClass" | "name" | "millionths" | "validFrom">,
  now: number,
): TaxRate {
  return {
    id: newId("taxRate", now),
    ...fields,
    regionKey: partKeyOf(fields),
    validUntil: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The part of the country as parts are compared. No region has a `#`: a program of before there were postal prefixes takes
 * such a rate for that of a region which no address has, not for one of the whole country.
 */
function partKeyOf(area: Area): string {
  const { region, postalPrefix } = foldArea(area);
  return postalPrefix === null ? (region ?? "") : `#${postalPrefix}`;
}

interface TaxRateEnd {
  /** An instant or a day of the wire; null means no end. */
  readonly validUntil: string | null;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the end; writes nothing if it is the same. A rate that ends at its start never holds. Refuses with
 * `tax_rate_not_found`, `stale_version`, `tax_rate_overlaps`, and with `validation_failed` for an end before the
 * start and one after which the rates come to more than 100 %.
 */
export async function endTaxRate(
  tx: Tx,
  id: Id<"taxRate">,
  { validUntil: given, expected }: TaxRateEnd,
): Promise<TaxRate> {
  await lockPriceTerms(tx);
  const before = await taxRateRows.lock(tx, id);
  requireVersion(before.version, expected);
  const validUntil = given === null ? null : instantOrDayMs(given, (await getStore(tx)).timezone);
  if (validUntil !== null && validUntil < before.validFrom) {
    const faults = new Faults();
    faults.add("/valid_until", "dates_backwards", "The end is earlier than `valid_from`.");
    faults.refuseIfAny();
  }
  if (validUntil === before.validUntil) return before;
  const rates = await ratesOfCountry(tx, { country: before.country });
  const others = rates.filter((one) => one.id !== id);
  const after = { ...before, validUntil };
  refuseRivals(rivalsOf(after, others));
  refuseExcess(after, others, "/valid_until");
  return taxRateRows.save(tx, before, { validUntil });
}

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
    const area = { country, region: null, postalPrefix: null };
    const rate = newTaxRate({ ...area, taxClass, name, millionths, validFrom }, tx.now);
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
