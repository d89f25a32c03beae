// Story: set when a tax rate ends. Nothing else of a rate ever changes.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import { instantOrDayMs } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";

import { ratesOfCountry, taxRateRows } from "./queries.ts";
import { refuseExcess, refuseRivals, rivalsOf, type TaxRate } from "./tax-rate.ts";

export interface TaxRateEnd {
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
