// A sale before and after pricing: the input and the output of `priceSale`. Lines have no names here: a number of
// `lines` is a position in the sale's lines. Every amount is in whole minor units and not below zero; a percentage is
// in parts per million.

/** A line to price. Amounts contain tax where the shop's prices do. */
export interface SaleLine {
  /** The variant that is sold: its lines are priced together. Not given: the line is like no other. */
  readonly variantId?: string | null;
  readonly unitMinor: number;
  readonly quantity: number;
  readonly taxClass: string;
  /** The weight of one unit; null where the variant has none, and the store's default counts. */
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  /** True if the price is without tax already, in a sale that is free of it. False if not given. */
  readonly isNet?: boolean;
}

export interface PercentTerms {
  readonly kind: "percent";
  readonly millionths: number;
}

export interface AmountTerms {
  readonly kind: "amount";
  readonly amountMinor: number;
  /** `unit` is read only where the target is `lines`. */
  readonly per: "unit" | "basket";
}

/** For every `buy.quantity` units bought, `get.quantity` further units are reduced. Both are above zero. */
export interface BuyGetTerms {
  readonly kind: "buy_get";
  readonly buy: { readonly quantity: number; readonly lines: readonly number[] };
  readonly get: {
    readonly quantity: number;
    readonly lines: readonly number[];
    readonly millionths: number;
  };
  /** How often at most; null without a limit. */
  readonly times: number | null;
}

/**
 * A discount that may apply: it is active, its limits are not reached, and its amounts have the sale's currency.
 * Terms of `buy_get` have the target `lines`.
 */
export interface Candidate {
  readonly id: string;
  readonly target: "lines" | "order" | "shipping";
  /** Stackable discounts apply together; any other applies alone. */
  readonly isStackable: boolean;
  readonly terms: PercentTerms | AmountTerms | BuyGetTerms;
  /** The eligible lines. */
  readonly lines: readonly number[];
  /** The least sum of the eligible lines before discounts; for the target `shipping`, of all goods after discounts. */
  readonly minimumSubtotalMinor: number | null;
  /** Units of the eligible lines. */
  readonly minimumQuantity: number | null;
}

/** The merchant's own discount on the order. It applies last, whatever else does. */
export type Manual = PercentTerms | Pick<AmountTerms, "kind" | "amountMinor">;

/** The price list of a shipping option in the sale's currency. Pickup is flat. */
export interface ShippingOption {
  readonly kind: "flat" | "by_price" | "by_weight";
  /** `from` is minor units of goods after discounts or grams; one tier from 0 where the kind is `flat`. */
  readonly tiers: readonly { readonly from: number; readonly amountMinor: number }[];
  /** From this amount of goods after discounts on, shipping costs nothing. */
  readonly freeOverMinor: number | null;
}

/** An amount for shipping; `isNet` is that of lines. */
export type ShippingAmount = Pick<SaleLine, "isNet"> & { readonly amountMinor: number };

/** No shipping, an amount that was agreed, or an option. */
export type ShippingChoice = null | ShippingAmount | ShippingOption;

/** A rate that holds for the sale. */
export interface SaleRate {
  readonly name: string;
  readonly country: string;
  readonly region: string | null;
  readonly millionths: number;
}

/** The rates of a place by tax class. A class without an entry has those of `standard`; `exempt` has none. */
export type RatesByClass = ReadonlyMap<string, readonly SaleRate[]>;

export interface Taxes {
  /** True if prices, amounts and shipping contain tax. */
  readonly isIncluded: boolean;
  /** True if this sale is free of tax: reverse charge or an exempt customer. */
  readonly isExempt: boolean;
  readonly ratesByClass: RatesByClass;
  /** The rates of the shop's own country, which the prices contain. Read only for an exempt sale with tax included. */
  readonly homeRatesByClass: RatesByClass;
  /** `as_goods`: shipping is taxed as the goods are, in proportion. */
  readonly shippingTax: "standard" | "as_goods" | "none";
}

/** The input of `priceSale`. */
export interface UnpricedSale {
  readonly lines: readonly SaleLine[];
  readonly candidates: readonly Candidate[];
  readonly manual: Manual | null;
  readonly shipping: ShippingChoice;
  readonly taxes: Taxes;
  /** Weight of a unit whose variant has none. */
  readonly defaultWeightGrams: number | null;
}

/** `totalMinor` = subtotal - discount + tax; tax that the price contains is `includedTaxMinor`. */
export interface PricedSaleLine {
  /** Without the tax that the price contained, where the sale is free of tax. */
  readonly unitMinor: number;
  readonly subtotalMinor: number;
  readonly discountMinor: number;
  readonly taxMinor: number;
  readonly includedTaxMinor: number;
  readonly totalMinor: number;
}

/** `amountMinor` = asked - discount, which is charged; `taxMinor` is charged on top of it. */
export interface PricedShipping {
  readonly askedMinor: number;
  readonly discountMinor: number;
  readonly amountMinor: number;
  readonly taxMinor: number;
  readonly includedTaxMinor: number;
  readonly discountId: string | null;
  /** False where no tier of the option reaches these goods: it is priced with 0 and cannot be bought. */
  readonly isOffered: boolean;
}

/** A discount that applies, with an amount above zero. `id` is null for the merchant's own. */
export interface AppliedDiscount {
  readonly id: string | null;
  readonly target: Candidate["target"];
  readonly amountMinor: number;
  /** Its share of every line of the sale; all 0 where the target is `shipping`. */
  readonly byLine: readonly number[];
}

/** One rate of one class, rounded once for the whole sale. */
export interface TaxLine {
  readonly rate: SaleRate;
  /** The class that the rate was found under: `standard` for a class without an entry. */
  readonly taxClass: string;
  readonly isIncluded: boolean;
  /** Goods and shipping that are taxed, with the tax where it is included. Above zero. */
  readonly taxableMinor: number;
  readonly amountMinor: number;
  /** The share of every line of the sale; 0 for a line of another class. */
  readonly byLine: readonly TaxShare[];
  /** The share of shipping. With `byLine` it adds up to the two amounts above. */
  readonly shipping: TaxShare;
}

/** A part of what a rate is on, and of its tax. */
export interface TaxShare {
  readonly taxableMinor: number;
  readonly amountMinor: number;
}

/** The last two cost the customer nothing: without the discount the sale is as cheap or cheaper. */
export const notAppliedReasons = [
  "minimum_not_met",
  "no_matching_items",
  "not_combinable",
  "no_effect",
] as const;
export type NotAppliedReason = (typeof notAppliedReasons)[number];

export interface NotApplied {
  readonly id: string;
  readonly reason: NotAppliedReason;
}

/** `totalMinor` = subtotal - discount + shipping + tax. The discount is that of goods. */
export interface SaleTotals {
  readonly subtotalMinor: number;
  readonly discountMinor: number;
  /** The charge for shipping after its discount. */
  readonly shippingMinor: number;
  readonly shippingDiscountMinor: number;
  readonly taxMinor: number;
  readonly includedTaxMinor: number;
  readonly totalMinor: number;
}

/** The result of `priceSale`. Lines stand where they stood; every candidate is in one of the two lists. */
export interface PricedSale {
  readonly lines: readonly PricedSaleLine[];
  readonly shipping: PricedShipping;
  readonly discounts: readonly AppliedDiscount[];
  readonly notApplied: readonly NotApplied[];
  readonly taxLines: readonly TaxLine[];
  readonly totals: SaleTotals;
}
