// The price that a product is listed by.

import type { Price } from "#catalog/variants/variant-values.ts";
import type { CurrencyCode } from "#kernel/currency.ts";

interface Priced {
  readonly prices: readonly Price[];
}

/** The lowest price of the variants in each currency, in minor units. */
export function lowestPrices(variants: readonly Priced[]): ReadonlyMap<CurrencyCode, number> {
  const lowest = new Map<CurrencyCode, number>();
  for (const { currency, amountMinor } of variants.flatMap(({ prices }) => prices)) {
    lowest.set(currency, Math.min(amountMinor, lowest.get(currency) ?? amountMinor));
  }
  return lowest;
}
