// Terms of shipping, as its rows hold them: kinds of rates, and amounts in several currencies.

import type { CurrencyCode } from "#kernel/currency.ts";
import { readAmount } from "#kernel/money.ts";
import type { Place } from "#kernel/refusal.ts";

interface AmountInput {
  readonly currency: CurrencyCode;
  /** In major units. */
  readonly amount: number | string;
}

/** Returns the amounts in minor units. Adds faults for bad amounts and for a second one in a currency. */
export function readAmounts(
  inputs: readonly AmountInput[],
  { pointer, faults }: Place,
): CurrencyAmount[] {
  const seen = new Set<CurrencyCode>();
  return inputs.map(({ currency, amount }, index) => {
    const at = `${pointer}/${index}`;
    if (seen.has(currency)) {
      faults.add(`${at}/currency`, "duplicate", `Another amount is in ${currency}.`);
    }
    seen.add(currency);
    const amountMinor = readAmount(amount, currency, { faults, pointer: `${at}/amount` });
    return { currency, amountMinor: amountMinor ?? 0 };
  });
}

/** The amount in this currency, in minor units; null where there is none. */
export function amountIn(
  amounts: readonly CurrencyAmount[],
  currency: CurrencyCode,
): number | null {
  return amounts.find((one) => one.currency === currency)?.amountMinor ?? null;
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
