// Lookup: the taxes of a sale, as they hold now, and as an order agreed to them.

import type { TaxExemption } from "#customers/tax-exemption.ts";
import type { AreaOfAddress } from "#kernel/area.ts";
import type { Reader } from "#platform/database/database.ts";
import type { RatesByClass, Taxes } from "#pricing/calculation/sale.ts";
import type { Store } from "#shop/store/store.ts";

import type { TaxTerms } from "./breakdown.ts";
import { findTaxRates } from "./find-tax-rates.ts";
import { holdingExemption } from "./reverse-charge.ts";

export interface TaxedSale {
  readonly place: AreaOfAddress;
  /** The word of the merchant; the reverse charge does not apply to every sale. */
  readonly exemption: TaxExemption;
  /** The tax number of the customer. */
  readonly taxId: string | null;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

const noRates: RatesByClass = new Map();

/** The taxes of a place. What prices contain follows from the rates of the shop's own country. */
export async function findTaxTerms(
  db: Reader,
  store: Store,
  { place: handedOver, exemption: asked, taxId, atMs }: TaxedSale,
): Promise<TaxTerms> {
  const { country: home, pricesIncludeTax: isIncluded, shippingTax } = store;
  const { country, region } = handedOver;
  const exemption = holdingExemption(asked, { home, taxId, place: handedOver });
  const isExempt = exemption !== "none";
  const place = isExempt ? { country: home, region: null, postalCode: null } : handedOver;
  const isRated = !isExempt || isIncluded;
  const rates = isRated ? await ratesAt(db, store, { ...place, atMs }) : noRates;
  return {
    isIncluded,
    shippingTax,
    exemption,
    country,
    region,
    rates: [...rates].map(([taxClass, ofClass]) => ({
      taxClass,
      rates: ofClass.map(({ name, country: at, region: part, millionths }) => ({
        name,
        country: at,
        region: part,
        millionths,
      })),
    })),
  };
}

function ratesAt(
  db: Reader,
  store: Store,
  { country, ...at }: AreaOfAddress & Pick<TaxedSale, "atMs">,
): Promise<RatesByClass> | RatesByClass {
  return country === null ? noRates : findTaxRates(db, store, { country, ...at });
}

/** The taxes by these terms. */
export function taxesOf({ exemption, isIncluded, shippingTax, rates }: TaxTerms): Taxes {
  const byClass = new Map(rates.map(({ taxClass, rates: ofClass }) => [taxClass, ofClass]));
  const isExempt = exemption !== "none";
  return {
    isIncluded,
    isExempt,
    ratesByClass: isExempt ? noRates : byClass,
    homeRatesByClass: isExempt ? byClass : noRates,
    shippingTax,
  };
}
