// Lookup: the tax rates of a sale. The rates themselves are settings of the shop, in shop/taxes.

import type { Reader } from "#platform/database/database.ts";
import type { Store } from "#shop/store/store.ts";
import { findRatesHolding, type TaxPlace } from "#shop/taxes/lookups.ts";
import type { TaxRate } from "#shop/taxes/tax-rate.ts";

/**
 * Returns the rates of a place that hold at a time, by tax class and oldest first. A place without rates is one where the
 * shop is not registered: nothing is taxed there.
 */
export async function findTaxRates(
  db: Reader,
  store: Pick<Store, "priceTermsVersion">,
  place: TaxPlace,
): Promise<ReadonlyMap<string, readonly TaxRate[]>> {
  return Map.groupBy(await findRatesHolding(db, store, place), ({ taxClass }) => taxClass);
}
