// How the total of a sale came about: its discounts, its taxes and its shipping, with the share of every line. An
// order keeps it as it was agreed: refunds and edits take their shares from it and calculate nothing again. Amounts
// are in minor units, and lists of lines are by position.

import type { TaxExemption } from "#customers/tax-exemption.ts";
import { isObject } from "#kernel/assume.ts";
import type { Id } from "#kernel/id.ts";
import type { Unrefunded } from "#pricing/calculation/refund-shares.ts";
import type { Manual, SaleRate, TaxLine, TaxShare } from "#pricing/calculation/sale.ts";
import type { AgreedDiscount } from "#pricing/discount-uses/candidates.ts";
import type { DiscountTarget } from "#pricing/discounts/discount-terms.ts";
import type { ShippingOptionId } from "#pricing/shipping/shipping-charge.ts";
import type { ShippingTax } from "#shop/store/notifications.ts";

/** The amount that one discount takes off. */
export interface DiscountLine {
  /** Null for a discount that the merchant gave this sale alone. */
  readonly discountId: Id<"discount"> | null;
  readonly code: string | null;
  readonly title: string;
  readonly target: DiscountTarget;
  readonly amountMinor: number;
  /** All 0 where the target is `shipping`. */
  readonly byLine: readonly number[];
  /** An edit of the order prices by these terms, whatever became of the discount. */
  readonly agreed: AgreedDiscount | Manual;
}

/** By which rules the sale was taxed. */
export interface TaxTerms {
  readonly isIncluded: boolean;
  readonly shippingTax: ShippingTax;
  readonly exemption: TaxExemption;
  /** The place whose rates hold; null where none is known. */
  readonly country: string | null;
  readonly region: string | null;
  /**
   * The rates by class, also of classes that no line has. For an exempt customer those of the shop's own country,
   * which its prices contain.
   */
  readonly rates: readonly { readonly taxClass: string; readonly rates: readonly SaleRate[] }[];
}

interface ShippingPart {
  /** Null for an amount that the merchant named, and without shipping. */
  readonly optionId: ShippingOptionId | null;
  /** The amount that the discounts take off it. */
  readonly discountMinor: number;
  /** Tax on top of it. */
  readonly taxMinor: number;
  readonly includedTaxMinor: number;
}

export interface Breakdown {
  /** The codes that the customer entered, whether they applied or not. */
  readonly codes: readonly string[];
  readonly discounts: readonly DiscountLine[];
  readonly taxes: readonly TaxLine[];
  readonly taxTerms: TaxTerms;
  /** The tax class of each line. */
  readonly taxClasses: readonly string[];
  /** The collections of each line, of those that discounts of the sale name. Absent where none does. */
  readonly collectionIds?: readonly (readonly Id<"collection">[])[];
  readonly shipping: ShippingPart;
  /** Null until nothing is due any more. */
  readonly sold: SoldTaxes | null;
  /**
   * The taxes in the money that is kept beside the sale and was not refunded; one for each of `taxes`. Absent where
   * nothing is.
   */
  readonly keptTaxes?: readonly TaxShare[];
}

/** The taxes of what was sold once nothing was due, less those of what is sold no more; one for each of `taxes`. */
interface SoldTaxes {
  readonly taxes: readonly TaxShare[];
  /** The part of the money for credited units that the merchant keeps. */
  readonly kept: Unrefunded;
}

type Sums = Pick<Breakdown, "discounts" | "taxes">;

/** In place of a title that the merchant wrote for one sale, once its customer is erased. */
export const TITLE_ERASED = "Discount";

/** A field on the wire, without what the merchant wrote for one sale alone: of a discount, and of a charge for shipping. */
export function withoutOwnWords(field: string, value: unknown, holder: unknown): unknown {
  if (!isObject(holder)) return value;
  if (field === "title" && holder["discount_id"] === null) return TITLE_ERASED;
  return field === "label" && isOwnCharge(holder) ? null : value;
}

/** A charge without an option, as carts and orders have it. */
function isOwnCharge(holder: Readonly<Record<string, unknown>>): boolean {
  const { option_id: option, rate_id: rate, pickup_location_id: pickup } = holder;
  return option === null || (rate === null && pickup === null);
}

/** The same without the titles that the merchant wrote for this sale alone, which may name the customer. */
export function withoutOwnTitles(breakdown: Breakdown | null): Breakdown | null {
  if (breakdown === null) return null;
  const discounts = breakdown.discounts.map((one) =>
    one.discountId === null ? { ...one, title: TITLE_ERASED } : one,
  );
  return { ...breakdown, discounts };
}

/** The discounts that take something off. An order also keeps those that do so after another change of it. */
export function effectiveDiscounts(breakdown: Sums | null): DiscountLine[] {
  return (breakdown?.discounts ?? []).filter(({ amountMinor }) => amountMinor > 0);
}

/** The amount that the discounts take off a line. */
export function discountOfLine(breakdown: Sums | null, position: number): number {
  return sumOf(breakdown?.discounts, ({ byLine }) => byLine[position] ?? 0);
}

/** The tax on top of a line. */
export function taxOfLine(breakdown: Sums | null, position: number): number {
  return sumOf(breakdown?.taxes, (tax) => (tax.isIncluded ? 0 : shareOf(tax, position)));
}

/** The tax that the price of a line contains. */
export function includedTaxOfLine(breakdown: Sums | null, position: number): number {
  return sumOf(breakdown?.taxes, (tax) => (tax.isIncluded ? shareOf(tax, position) : 0));
}

/** The class by which a line is taxed; null without a breakdown. */
export function taxClassOfLine(breakdown: Breakdown | null, position: number): string | null {
  return breakdown?.taxClasses[position] ?? null;
}

/** The tax that the prices of a sale contain, with that of its shipping. */
export function includedTaxOf(breakdown: Sums | null): number {
  return sumOf(breakdown?.taxes, (tax) => (tax.isIncluded ? tax.amountMinor : 0));
}

/** The totals of a sale. */
export interface SaleSums {
  readonly subtotalMinor: number;
  /** The discounts of goods; `shippingMinor` has its own discount taken off. */
  readonly discountMinor: number;
  readonly shippingMinor: number;
  /** On top of the prices, with that of the shipping. */
  readonly taxMinor: number;
  readonly totalMinor: number;
}

/** Adds up a sale of what its lines cost and what is charged for shipping. */
export function sumsOf(
  { subtotalMinor, shippingMinor }: Pick<SaleSums, "subtotalMinor" | "shippingMinor">,
  breakdown: Sums | null,
): SaleSums {
  const discountMinor = sumOf(breakdown?.discounts, ({ target, amountMinor }) =>
    target === "shipping" ? 0 : amountMinor,
  );
  const taxMinor = sumOf(breakdown?.taxes, ({ isIncluded, amountMinor }) =>
    isIncluded ? 0 : amountMinor,
  );
  const totalMinor = subtotalMinor - discountMinor + shippingMinor + taxMinor;
  return { subtotalMinor, discountMinor, shippingMinor, taxMinor, totalMinor };
}

function shareOf({ byLine }: TaxLine, position: number): number {
  return byLine[position]?.amountMinor ?? 0;
}

function sumOf<T>(rows: readonly T[] = [], amountOf: (row: T) => number): number {
  return rows.reduce((total, row) => total + amountOf(row), 0);
}

// The form in which rows store a breakdown: its members by position, without their names. Names would be two thirds of it,
// and an order with them fills a page of the database alone. Invariant: a position keeps its meaning forever.

/** The form of the columns that store one. */
export const packedBreakdown = { pack: packBreakdown, unpack: unpackBreakdown };

function packBreakdown(breakdown: Breakdown) {
  const { codes, discounts, taxes, taxTerms, taxClasses, shipping, sold } = breakdown;
  const packed = [
    codes,
    discounts.map(packDiscount),
    taxes.map(packTax),
    packTerms(taxTerms),
    taxClasses,
    packShipping(shipping),
    sold,
  ] as const;
  const { collectionIds, keptTaxes } = breakdown;
  if (keptTaxes !== undefined) return [...packed, collectionIds ?? null, keptTaxes] as const;
  return collectionIds === undefined ? packed : ([...packed, collectionIds] as const);
}

/** A row that was written before there was this form has the breakdown with its names. */
function unpackBreakdown(packed: ReturnType<typeof packBreakdown> | Breakdown): Breakdown {
  if ("taxes" in packed) return packed;
  const [codes, discounts, taxes, taxTerms, taxClasses, shipping, sold, collectionIds, keptTaxes] =
    packed;
  return {
    codes,
    discounts: discounts.map(unpackDiscount),
    taxes: taxes.map(unpackTax),
    taxTerms: unpackTerms(taxTerms),
    taxClasses,
    shipping: unpackShipping(shipping),
    sold,
    ...(collectionIds && { collectionIds }),
    ...(keptTaxes && { keptTaxes }),
  };
}

function packDiscount(discount: DiscountLine) {
  const { discountId, code, title, target, amountMinor, byLine, agreed } = discount;
  return [discountId, code, title, target, amountMinor, byLine, agreed] as const;
}

function unpackDiscount(packed: ReturnType<typeof packDiscount>): DiscountLine {
  const [discountId, code, title, target, amountMinor, byLine, agreed] = packed;
  return { discountId, code, title, target, amountMinor, byLine, agreed };
}

function packTax(tax: TaxLine) {
  const { rate, taxClass, isIncluded, taxableMinor, amountMinor, byLine, shipping } = tax;
  return [
    packRate(rate),
    taxClass,
    isIncluded,
    taxableMinor,
    amountMinor,
    byLine.map(packShare),
    packShare(shipping),
  ] as const;
}

function unpackTax(packed: ReturnType<typeof packTax>): TaxLine {
  const [rate, taxClass, isIncluded, taxableMinor, amountMinor, byLine, shipping] = packed;
  return {
    rate: unpackRate(rate),
    taxClass,
    isIncluded,
    taxableMinor,
    amountMinor,
    byLine: byLine.map(unpackShare),
    shipping: unpackShare(shipping),
  };
}

function packTerms({ isIncluded, shippingTax, exemption, country, region, rates }: TaxTerms) {
  const byClass = rates.map((one) => [one.taxClass, one.rates.map(packRate)] as const);
  return [isIncluded, shippingTax, exemption, country, region, byClass] as const;
}

function unpackTerms(packed: ReturnType<typeof packTerms>): TaxTerms {
  const [isIncluded, shippingTax, exemption, country, region, byClass] = packed;
  const rates = byClass.map(([taxClass, ofClass]) => ({
    taxClass,
    rates: ofClass.map(unpackRate),
  }));
  return { isIncluded, shippingTax, exemption, country, region, rates };
}

function packRate({ name, country, region, millionths }: SaleRate) {
  return [name, country, region, millionths] as const;
}

function unpackRate([name, country, region, millionths]: ReturnType<typeof packRate>): SaleRate {
  return { name, country, region, millionths };
}

function packShare({ taxableMinor, amountMinor }: TaxShare) {
  return [taxableMinor, amountMinor] as const;
}

function unpackShare([taxableMinor, amountMinor]: ReturnType<typeof packShare>): TaxShare {
  return { taxableMinor, amountMinor };
}

function packShipping({ optionId, discountMinor, taxMinor, includedTaxMinor }: ShippingPart) {
  return [optionId, discountMinor, taxMinor, includedTaxMinor] as const;
}

function unpackShipping(packed: ReturnType<typeof packShipping>): ShippingPart {
  const [optionId, discountMinor, taxMinor, includedTaxMinor] = packed;
  return { optionId, discountMinor, taxMinor, includedTaxMinor };
}
