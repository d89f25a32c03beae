// Prices the lines of an order before discounts and taxes, in whole minor units. Nothing is divided, so nothing is
// rounded.

import { addSaleFault, unitPriceOf } from "#catalog/products/sale.ts";
import type { Price } from "#catalog/rows/column-types.ts";
import { keptImage } from "#catalog/rows/image.ts";
import type { ShownVariant } from "#catalog/rows/variant.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { MAX_AMOUNT_MINOR, readAmount } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { SaleLine } from "#pricing/calculation/sale.ts";
import { STANDARD_CLASS } from "#shop/taxes/tax-rate.ts";

/** A line of a request. */
export interface LineRequest {
  readonly variantId: Id<"variant">;
  readonly quantity: number;
  readonly metadata?: Metadata | undefined;
}

/** A line of the merchant's own: something that is not in the catalog, at a price for this order. */
export interface OwnLineRequest {
  readonly variantId: null;
  readonly sku: string | null;
  readonly name: string;
  /** Major units. */
  readonly unitPrice: number | string;
  /** `standard` if undefined. */
  readonly taxClass?: string | undefined;
  readonly quantity: number;
  readonly metadata?: Metadata | undefined;
}

/** The traits that decide on the discounts, the tax and the shipping of a line. */
export interface LineTraits {
  readonly tags: readonly string[];
  readonly taxClass: string;
  /** The weight of one unit; null where it is not known. */
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  /** On a line of an order: the collections that counted when it was agreed. */
  readonly collectionIds?: readonly Id<"collection">[] | undefined;
}

/** The traits of a line of the merchant's own that names no tax class. */
export const ownTraits: LineTraits = {
  tags: [],
  taxClass: STANDARD_CLASS,
  weightGrams: null,
  requiresShipping: true,
};

/** The fields of a variant that an order line needs. */
export interface VariantOnOffer extends LineTraits {
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
  readonly name: string;
  readonly isForSale: boolean;
  readonly prices: readonly Price[];
  readonly shown: ShownVariant | null;
}

/** A line with its price in minor units, before it belongs to an order. */
export interface PricedLine {
  readonly position: number;
  /** Null, as the product, for a line of the merchant's own. */
  readonly variantId: Id<"variant"> | null;
  readonly productId: Id<"product"> | null;
  readonly sku: string | null;
  readonly name: string;
  readonly quantity: number;
  readonly unitPriceMinor: number;
  readonly subtotalMinor: number;
  readonly metadata: Metadata;
  /** Null for a line of the merchant's own, and where it is not known yet. */
  readonly shown: ShownVariant | null;
  readonly traits: LineTraits;
}

/** The currency of the prices, and the collector of faults. */
export interface PricingTerms {
  readonly currency: CurrencyCode;
  readonly faults: Faults;
}

/** The variants that the lines name; a line of the merchant's own names none. */
export function variantsOf(
  lines: readonly { readonly variantId: Id<"variant"> | null }[],
): Id<"variant">[] {
  return lines.map(({ variantId }) => variantId).filter((id) => id !== null);
}

/**
 * Prices the lines that can be sold. Adds a fault for an unknown variant, one that is not for sale or has no price
 * in the currency, for a price that is no amount of it, and for a line above the maximum amount.
 */
export function priceLines(
  requests: readonly (LineRequest | OwnLineRequest)[],
  offers: ReadonlyMap<Id<"variant">, VariantOnOffer>,
  terms: PricingTerms,
): PricedLine[] {
  return requests
    .map((request, position) => {
      const item =
        request.variantId === null
          ? ownItemOf(request, position, terms)
          : itemOf(offers.get(request.variantId), position, terms);
      if (item === null) return null;
      const { unitPriceMinor } = item;
      const subtotalMinor = unitPriceMinor * request.quantity;
      if (subtotalMinor > MAX_AMOUNT_MINOR) addLineTooLarge(linePointer(position), terms.faults);
      return {
        position,
        variantId: item.variantId,
        productId: item.productId,
        sku: item.sku,
        name: item.name,
        quantity: request.quantity,
        unitPriceMinor,
        subtotalMinor,
        metadata: request.metadata ?? {},
        shown: item.shown,
        traits: item.traits,
      };
    })
    .filter((line) => line !== null);
}

/** The pointer of a line in a list of lines. */
export function linePointer(position: number): string {
  return `/line_items/${position}`;
}

/** Adds the fault of a line above the maximum amount. */
export function addLineTooLarge(line: string, faults: Faults): void {
  const detail = "The total of the line exceeds the maximum amount.";
  faults.add(`${line}/quantity`, "amount_too_large", detail);
}

/**
 * Adds the fault of a sale above the maximum amount: no request could name what it comes to, and the payments of an
 * order that is paid more than once have to add up.
 */
export function validateTotal(totalMinor: number, faults: Faults, pointer = "/line_items"): void {
  if (totalMinor <= MAX_AMOUNT_MINOR) return;
  faults.add(pointer, "amount_too_large", "The total exceeds the maximum amount.");
}

/** The item that a line sells, with the price of one unit. */
type Item = Pick<
  PricedLine,
  "variantId" | "productId" | "sku" | "name" | "unitPriceMinor" | "shown" | "traits"
>;

/** Adds a fault and returns null if the variant cannot be sold. */
function itemOf(
  offer: VariantOnOffer | undefined,
  position: number,
  { currency, faults }: PricingTerms,
): Item | null {
  const price = unitPriceOf(offer, currency);
  if (offer !== undefined && !("problem" in price)) {
    const { variantId, productId, sku, name } = offer;
    const { tags, taxClass, weightGrams, requiresShipping, collectionIds } = offer;
    const traits = { tags, taxClass, weightGrams, requiresShipping, collectionIds };
    const shown = offer.shown && asKept(offer.shown);
    return { variantId, productId, sku, name, unitPriceMinor: price.unitPriceMinor, shown, traits };
  }
  const problem = "problem" in price ? price.problem : "unknown_variant";
  addSaleFault(faults, { problem, line: linePointer(position), currency });
  return null;
}

/** The parts of a variant as a line of an order shows them. */
export function asKept(shown: ShownVariant): ShownVariant {
  return { ...shown, image: shown.image && keptImage(shown.image) };
}

/** Adds a fault and returns null if the price is no amount of the currency. */
function ownItemOf(
  { sku, name, unitPrice, taxClass = STANDARD_CLASS }: OwnLineRequest,
  position: number,
  { currency, faults }: PricingTerms,
): Item | null {
  const pointer = `${linePointer(position)}/unit_price`;
  const unitPriceMinor = readAmount(unitPrice, currency, { faults, pointer });
  if (unitPriceMinor === null) return null;
  const traits = { ...ownTraits, taxClass };
  return { variantId: null, productId: null, shown: null, traits, sku, name, unitPriceMinor };
}

/** A line to price, with what decides on its discounts. */
export interface LineToQuote extends SaleLine {
  readonly variantId: Id<"variant"> | null;
  readonly productId: Id<"product"> | null;
  readonly tags: readonly string[];
  readonly collectionIds?: readonly Id<"collection">[] | undefined;
}

/** A line of an order as it is priced. */
export function lineToQuote({
  traits,
  quantity,
  variantId,
  productId,
  unitPriceMinor: unitMinor,
}: PricedLine): LineToQuote {
  return { ...traits, quantity, variantId, productId, unitMinor };
}
