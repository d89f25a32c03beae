// Stories of tax rates: one is created, or given its end and metadata, and the preset ones of a country are written.
// Nothing else of a rate ever changes.

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
import { type NewTaxRate, type TaxRateChange, taxRateFields } from "./schema.ts";
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
  fields: Area & Pick<TaxRate, "taxClass" | "name" | "millionths" | "validFrom" | "metadata">,
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

interface TaxRateUpdate {
  readonly given: TaxRateChange;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the end and the metadata that are given; writes nothing if they are the same. A rate that ends at its start never
 * holds. Refuses with `tax_rate_not_found`, `stale_version`, `tax_rate_overlaps`, and with `validation_failed` for an end
 * before the start and one after which the rates come to more than 100 %.
 */
export async function updateTaxRate(
  tx: Tx,
  id: Id<"taxRate">,
  { given, expected }: TaxRateUpdate,
): Promise<TaxRate> {
  await lockPriceTerms(tx);
  const before = await taxRateRows.lock(tx, id);
  requireVersion(before.version, expected);
  const faults = new Faults();
  const fields = taxRateFields.readChange(given, faults);
  const validUntil = await endAfter(tx, before, given.valid_until);
  if (validUntil !== null && validUntil < before.validFrom) {
    faults.add("/valid_until", "dates_backwards", "The end is earlier than `valid_from`.");
  }
  faults.refuseIfAny();
  const after = { ...before, ...fields, validUntil };
  if (validUntil !== before.validUntil) await checkEnd(tx, after);
  return Bun.deepEquals(before, after) ? before : taxRateRows.save(tx, before, after);
}

/** The end that the rate will have: an instant or a day of the wire, null for none, undefined for the one it has. */
async function endAfter(
  tx: Tx,
  before: TaxRate,
  given: string | null | undefined,
): Promise<number | null> {
  if (given === undefined) return before.validUntil;
  return given === null ? null : instantOrDayMs(given, (await getStore(tx)).timezone);
}

async function checkEnd(tx: Tx, after: TaxRate): Promise<void> {
  const rates = await ratesOfCountry(tx, { country: after.country });
  const others = rates.filter(({ id }) => id !== after.id);
  refuseRivals(rivalsOf(after, others));
  refuseExcess(after, others, "/valid_until");
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
    const of = { country, region: null, postalPrefix: null, taxClass, name, millionths, validFrom };
    const rate = newTaxRate({ ...of, metadata: {} }, tx.now);
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
