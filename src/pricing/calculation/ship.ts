// Prices shipping: the price of an option for some goods, and the discount that reduces it most.

import { MILLION, portion } from "#kernel/money.ts";

import type { Candidate, SaleLine, ShippingOption } from "./sale.ts";

/**
 * The price of an option in minor units for goods after discounts and the weight of what ships: the amount of the
 * highest tier that these reach, or 0 from `freeOverMinor` on. Null where they reach no tier: it is not offered.
 */
export function priceOfOption(
  { kind, tiers, freeOverMinor }: ShippingOption,
  goodsMinor: number,
  weightGrams: number,
): number | null {
  const reached = kind === "by_weight" ? weightGrams : goodsMinor;
  let highest: ShippingOption["tiers"][number] | null = null;
  for (const tier of tiers) {
    if (tier.from <= reached && (highest === null || tier.from > highest.from)) highest = tier;
  }
  if (highest === null) return null;
  return freeOverMinor !== null && goodsMinor >= freeOverMinor ? 0 : highest.amountMinor;
}

/** The weight of the lines that ship. */
export function weightOf(lines: readonly SaleLine[], defaultWeightGrams: number | null): number {
  return lines.reduce((grams, line) => {
    if (!line.requiresShipping) return grams;
    return grams + (line.weightGrams ?? defaultWeightGrams ?? 0) * line.quantity;
  }, 0);
}

/** The discount of shipping with the largest amount; of equal ones the earlier. Null where none reduces it. */
export function shippingDiscountOf(
  askedMinor: number,
  goodsMinor: number,
  candidates: readonly Candidate[],
): { readonly id: string; readonly amountMinor: number } | null {
  let largest: { id: string; amountMinor: number } | null = null;
  for (const candidate of candidates) {
    if (candidate.target !== "shipping" || !reachesMinimum(candidate, goodsMinor)) continue;
    const amountMinor = offShipping(candidate.terms, askedMinor);
    if (amountMinor > (largest?.amountMinor ?? 0)) largest = { id: candidate.id, amountMinor };
  }
  return largest;
}

/** Returns true if goods after discounts reach what a discount of shipping asks for. */
export function reachesMinimum(
  { minimumSubtotalMinor }: Pick<Candidate, "minimumSubtotalMinor">,
  goodsMinor: number,
): boolean {
  return minimumSubtotalMinor === null || minimumSubtotalMinor <= goodsMinor;
}

function offShipping(terms: Candidate["terms"], askedMinor: number): number {
  if (terms.kind === "percent") return portion(askedMinor, terms.millionths, MILLION);
  return terms.kind === "amount" ? Math.min(terms.amountMinor, askedMinor) : 0;
}
