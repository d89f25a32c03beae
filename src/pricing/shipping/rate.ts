// Shipping rates: what the shop asks for sending goods to a zone.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Faults } from "#kernel/refusal.ts";

import { amountIn, type RateKind, type Tier } from "./amounts.ts";
import type { ShippingRateRow } from "./tables.ts";

export type ShippingRate = ShippingRateRow;

/** Adds faults for tiers that do not suit the kind or do not ascend, and for more days at least than at most. */
export function checkRate(rate: ShippingRate, faults: Faults): void {
  checkTiers(rate, faults);
  const { minDays, maxDays } = rate;
  if (minDays !== null && maxDays !== null && minDays > maxDays) {
    faults.add("/max_days", "out_of_range", "This must be at least min_days.");
  }
}

function checkTiers({ kind, tiers }: ShippingRate, faults: Faults): void {
  if (kind === "flat") {
    if (tiers.length > 1) faults.add("/tiers", "too_many", "A flat rate has one tier.");
    if (tiers[0]?.from !== 0) {
      faults.add("/tiers/0/from", "out_of_range", "The tier of a flat rate is from 0.");
    }
    return;
  }
  tiers.forEach((tier, index) => {
    const last = tiers[index - 1];
    if (last === undefined) return;
    if (tier.from <= last.from) {
      const detail = "This must be greater than the `from` of the tier before.";
      faults.add(`/tiers/${index}/from`, "out_of_range", detail);
    }
    // A weight is the same in all currencies: left out by mistake, a heavier parcel would cost as a lighter one.
    if (kind === "by_weight" && currenciesOf(tier) !== currenciesOf(last)) {
      const detail = "Every tier by weight has amounts in the same currencies.";
      faults.add(`/tiers/${index}/amounts`, "currency_mismatch", detail);
    }
  });
}

function currenciesOf({ amounts }: Tier): string {
  return amounts
    .map(({ currency }) => currency)
    .toSorted()
    .join();
}

/** The price list of a shipping option in one currency; `from` is minor units of goods or grams. */
export interface OptionPricing {
  readonly kind: RateKind;
  readonly tiers: readonly { readonly from: number; readonly amountMinor: number }[];
  readonly freeOverMinor: number | null;
}

/** The price of the rate in this currency; null where no tier has an amount in it. */
export function pricingOf(
  { kind, tiers, freeOver }: Pick<ShippingRate, "kind" | "tiers" | "freeOver">,
  currency: CurrencyCode,
): OptionPricing | null {
  const priced = tiers.flatMap(({ from, amounts }) => {
    const amountMinor = amountIn(amounts, currency);
    return amountMinor === null ? [] : [{ from, amountMinor }];
  });
  if (priced.length === 0) return null;
  return { kind, tiers: priced, freeOverMinor: amountIn(freeOver, currency) };
}
