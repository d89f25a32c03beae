// The types of what the row of a variant holds.

import type { CurrencyCode } from "#kernel/currency.ts";

/** An option such as size, with the values that variants may have. */
export interface ProductOption {
  readonly name: string;
  readonly values: readonly string[];
}

/** The value of each option by the option's name. Options may be left out. */
export type OptionValues = Readonly<Record<string, string>>;

/** A price in one currency, in minor units. `compareAtMinor` is the price before a reduction. */
export interface Price {
  readonly currency: CurrencyCode;
  readonly amountMinor: number;
  readonly compareAtMinor: number | null;
}
