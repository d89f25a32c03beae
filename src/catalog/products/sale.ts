// The price of a variant in a currency, or the reason why it cannot be sold.

import type { Price } from "#catalog/rows/column-types.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { defineRefusal, type Faults, validationFailed } from "#kernel/refusal.ts";

const saleFaults = defineFaults({
  unknown_variant: "There is no such variant.",
  variant_not_for_sale: "The variant, or its product, is not active.",
  price_missing: "The variant has no price in this currency.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof saleFaults> {}
}

/** Why a variant cannot be sold. */
export const saleProblems = ["unknown_variant", "variant_not_for_sale", "price_missing"] as const;
export type SaleProblem = (typeof saleProblems)[number];

interface Offer {
  readonly isForSale: boolean;
  readonly prices: readonly Price[];
}

/** Returns the price of one unit in the currency, or the first reason why there is none. */
export function unitPriceOf(
  offer: Offer | undefined,
  currency: CurrencyCode,
): { readonly unitPriceMinor: number } | { readonly problem: SaleProblem } {
  if (offer === undefined) return { problem: "unknown_variant" };
  if (!offer.isForSale) return { problem: "variant_not_for_sale" };
  const price = offer.prices.find((one) => one.currency === currency);
  return price === undefined ? { problem: "price_missing" } : { unitPriceMinor: price.amountMinor };
}

export const variantNotForSale = defineRefusal("variant_not_for_sale", "invalid", {
  title: "A variant is not for sale.",
  cause: "A line names a variant that is not active, or whose product is not active.",
  remedy: "Remove the line, or activate the variant and its product.",
  faults: saleFaults,
});
export const priceMissing = defineRefusal("price_missing", "invalid", {
  title: "A variant has no price in this currency.",
  cause: "A line names a variant without a price in the currency of the request.",
  remedy: "Add a price in this currency to the variant, or use another currency.",
  faults: saleFaults,
});

/** The refusals of a request with lines to sell, in order of precedence. */
export const saleRefusals = [validationFailed, variantNotForSale, priceMissing];

const refusalOf = {
  unknown_variant: validationFailed,
  variant_not_for_sale: variantNotForSale,
  price_missing: priceMissing,
};

/** Adds a fault for a line that cannot be sold. */
export function addSaleFault(faults: Faults, { problem, line, currency }: SaleFault): void {
  const pointer = `${line}/variant_id`;
  faults.addAs(refusalOf[problem], { pointer, code: problem, detail: sentence(problem, currency) });
}

interface SaleFault {
  readonly problem: SaleProblem;
  /** The pointer of the line. */
  readonly line: string;
  readonly currency: CurrencyCode;
}

function sentence(problem: SaleProblem, currency: CurrencyCode): string {
  if (problem === "unknown_variant") return "There is no such variant.";
  if (problem === "variant_not_for_sale") return "The variant is not for sale.";
  return `The variant has no price in ${currency}.`;
}
