// The amounts of an order in whole minor units. Invariant: totals are the sums of the lines. Nothing is divided,
// so nothing is rounded.

import { addSaleFault, saleOf } from "#catalog/variants/sale.ts";
import type { Price } from "#catalog/variants/variant-values.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";

/** A line of a request. */
export interface LineRequest {
  readonly variantId: Id<"variant">;
  readonly quantity: number;
}

/** The fields of a variant that an order line needs. */
export interface VariantOnOffer {
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
  readonly name: string;
  readonly isForSale: boolean;
  readonly prices: readonly Price[];
}

/** A line with its amounts in minor units, before it belongs to an order. */
export interface PricedLine {
  readonly position: number;
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
  readonly name: string;
  readonly quantity: number;
  readonly unitPriceMinor: number;
  readonly subtotalMinor: number;
  readonly discountMinor: number;
  readonly taxMinor: number;
  readonly totalMinor: number;
}

/** The totals of an order with the shipping charge, in minor units. */
export interface Totals {
  readonly subtotalMinor: number;
  readonly discountMinor: number;
  readonly shippingMinor: number;
  readonly taxMinor: number;
  readonly totalMinor: number;
}

/** The currency of the prices, and the collector of faults. */
export interface PricingTerms {
  readonly currency: CurrencyCode;
  readonly faults: Faults;
}

/**
 * Prices the lines that can be sold. Adds a fault for an unknown variant, one that is not for sale or has no price
 * in the currency, and for a line above the maximum amount.
 */
export function priceLines(
  requests: readonly LineRequest[],
  offers: ReadonlyMap<Id<"variant">, VariantOnOffer>,
  terms: PricingTerms,
): PricedLine[] {
  return requests
    .map((request, position) => {
      const offer = offers.get(request.variantId);
      const unitPriceMinor = unitPriceOf(offer, position, terms);
      if (offer === undefined || unitPriceMinor === null) return null;
      const subtotalMinor = unitPriceMinor * request.quantity;
      if (subtotalMinor > MAX_AMOUNT_MINOR) {
        const detail = "The total of the line exceeds the maximum amount.";
        terms.faults.add(`/line_items/${position}/quantity`, "amount_too_large", detail);
      }
      return {
        position,
        variantId: offer.variantId,
        productId: offer.productId,
        sku: offer.sku,
        name: offer.name,
        quantity: request.quantity,
        unitPriceMinor,
        subtotalMinor,
        discountMinor: 0,
        taxMinor: 0,
        totalMinor: subtotalMinor,
      };
    })
    .filter((line) => line !== null);
}

/** Returns the price of one unit. Adds a fault and returns null if the variant cannot be sold. */
function unitPriceOf(
  offer: VariantOnOffer | undefined,
  position: number,
  { currency, faults }: PricingTerms,
): number | null {
  const sale = saleOf(offer, currency);
  if (!("problem" in sale)) return sale.unitPriceMinor;
  addSaleFault(faults, { problem: sale.problem, position, currency });
  return null;
}

/** Returns the totals of an order with these lines. */
export function totalsOf(
  lines: readonly Pick<PricedLine, "subtotalMinor" | "discountMinor" | "taxMinor">[],
  shippingMinor: number,
): Totals {
  const subtotalMinor = sumOf(lines, (line) => line.subtotalMinor);
  const discountMinor = sumOf(lines, (line) => line.discountMinor);
  const taxMinor = sumOf(lines, (line) => line.taxMinor);
  const totalMinor = subtotalMinor - discountMinor + shippingMinor + taxMinor;
  return { subtotalMinor, discountMinor, shippingMinor, taxMinor, totalMinor };
}

function sumOf<T>(rows: readonly T[], amountOf: (row: T) => number): number {
  return rows.reduce((total, row) => total + amountOf(row), 0);
}
