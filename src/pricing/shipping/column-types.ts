// The types of what the rows of shipping hold.

import type { CurrencyCode } from "#kernel/currency.ts";

/** The place of a zone that has everything which no other place has. */
export const EVERYWHERE = "*";

/** A part of the world: a country, a region of it, or the postal codes of it that begin alike. */
export interface ZonePlace {
  /** ISO 3166-1 alpha-2, or `*`. */
  readonly country: string;
  readonly region: string | null;
  readonly postalPrefix: string | null;
}

/** An amount in one currency, in minor units. */
export interface CurrencyAmount {
  readonly currency: CurrencyCode;
  readonly amountMinor: number;
}

export const rateKinds = ["flat", "by_price", "by_weight"] as const;
export type RateKind = (typeof rateKinds)[number];

/** From this price of the goods, in minor units, or this weight in grams on, shipping costs the amounts. */
export interface Tier {
  readonly from: number;
  readonly amounts: readonly CurrencyAmount[];
}
