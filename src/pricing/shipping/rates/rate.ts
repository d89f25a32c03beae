// Shipping rates: what the shop asks for sending goods to a zone.

import { type Change, defined } from "#kernel/change.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineRefusal, type Faults } from "#kernel/refusal.ts";

import { amountIn, type AmountInput, readAmounts } from "../amounts.ts";
import type { RateKind, Tier } from "../shipping-values.ts";
import type { ShippingRateRow } from "../tables.ts";

/** Rates of a zone: a customer chooses among them. */
export const RATES_PER_ZONE_MAX = 50;

export type ShippingRate = ShippingRateRow;

/** The fields that a request can set. */
export type ShippingRateFields = Omit<ShippingRate, "id" | "version" | "createdAt" | "updatedAt">;

/** A tier of a request, with amounts in major units. */
export interface TierInput {
  readonly from: number;
  readonly amounts: readonly AmountInput[];
}

/** The fields that a request gives. */
export type ShippingRateInput = Change<
  Omit<ShippingRateFields, "tiers" | "freeOver"> & {
    readonly tiers: readonly TierInput[];
    readonly freeOver: readonly AmountInput[];
  }
>;

/** The default fields of a new rate. */
export const plainRate = {
  tiers: [],
  freeOver: [],
  minDays: null,
  maxDays: null,
  active: true,
} as const satisfies Partial<ShippingRateFields>;

export const shippingRateNotFound = defineRefusal(
  "shipping_rate_not_found",
  "not_found",
  "There is no such shipping rate.",
);
export const shippingRateLimit = defineRefusal("shipping_rate_limit", "conflict", {
  title: `A shipping zone has at most ${RATES_PER_ZONE_MAX} rates.`,
  cause: "The zone already has as many rates as a zone can have.",
  remedy: "Delete rates that are no longer needed.",
});

/**
 * The rate after a request. Adds faults for bad amounts, two in one currency, tiers that do not suit the kind or do
 * not ascend, and more days at least than at most.
 */
export function readRate(
  before: ShippingRateFields,
  { tiers, freeOver, ...rest }: ShippingRateInput,
  faults: Faults,
): ShippingRateFields {
  const after = {
    ...before,
    ...defined(rest),
    ...(tiers !== undefined && { tiers: readTiers(tiers, faults) }),
    ...(freeOver !== undefined && { freeOver: readAmounts(freeOver, "/free_over", faults) }),
  };
  checkTiers(after, faults);
  const { minDays, maxDays } = after;
  if (minDays !== null && maxDays !== null && minDays > maxDays) {
    faults.add("/max_days", "out_of_range", "This must be at least min_days.");
  }
  return after;
}

function readTiers(tiers: readonly TierInput[], faults: Faults): Tier[] {
  return tiers.map(({ from, amounts }, index) => ({
    from,
    amounts: readAmounts(amounts, `/tiers/${index}/amounts`, faults),
  }));
}

function checkTiers({ kind, tiers }: ShippingRateFields, faults: Faults): void {
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
