// The rules of an order's amounts. Everything is whole minor units; the totals of an order are the
// sums of its lines, and nothing is rounded because nothing is divided.

import { addSaleFault, saleOf } from "#catalog/variants/sale.ts";
import type { Price } from "#catalog/variants/variant.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";

/** A line as it was asked for. */
export interface LineRequest {
  readonly variantId: Id<"variant">;
  readonly quantity: number;
}

/** What a line needs to know of its variant. */
export interface VariantOnOffer {
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
  readonly name: string;
  readonly isForSale: boolean;
  readonly prices: readonly Price[];
}

/** A line with its amounts, before it belongs to an order. Amounts are minor units. */
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

/** The sums of the lines with the charge for shipping, in minor units. */
export interface Totals {
  readonly subtotalMinor: number;
  readonly discountMinor: number;
  readonly shippingMinor: number;
  readonly taxMinor: number;
  readonly totalMinor: number;
}

/** In which currency lines are priced, and where their faults are noted. */
export interface PricingTerms {
  readonly currency: CurrencyCode;
  readonly faults: Faults;
}

/**
 * Prices the lines that can be sold, and notes why the others cannot: an unknown variant, one that
 * is not for sale or has no price in the currency, and an amount that is too large.
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
        const detail = "The line comes to more than one amount can be.";
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

/** What one unit costs; null, and noted, where it cannot be sold. */
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

/** The totals of an order with these lines. */
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
