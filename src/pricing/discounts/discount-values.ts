// The types of what the row of a discount holds.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";

/** The targets of discounts: lines on their own, the order as a whole, or its shipping. */
export const discountTargets = ["lines", "order", "shipping"] as const;
export type DiscountTarget = (typeof discountTargets)[number];

/** The bases of amounts: taken off each unit, or once off all eligible lines together. */
export const amountBases = ["unit", "basket"] as const;
export type AmountBasis = (typeof amountBases)[number];

/** Lines that have any of these. A null scope means every line. */
export interface DiscountScope {
  readonly productIds: readonly Id<"product">[];
  readonly variantIds: readonly Id<"variant">[];
  /** The tags of the product. */
  readonly tags: readonly string[];
  /** The collections that the product is in. Absent in scopes that older versions wrote. */
  readonly collectionIds?: readonly Id<"collection">[];
}

export interface MoneyInCurrency {
  readonly currency: CurrencyCode;
  readonly amountMinor: number;
}

/** The amount, percentage or units that are taken off. Percentages are in parts per million. */
export type DiscountTerms =
  | { readonly kind: "percent"; readonly millionths: number }
  | {
      readonly kind: "amount";
      readonly per: AmountBasis;
      /** One per currency; in any other the discount does not apply. */
      readonly amounts: readonly MoneyInCurrency[];
    }
  | {
      readonly kind: "buy_get";
      readonly buy: { readonly quantity: number; readonly scope: DiscountScope | null };
      readonly get: {
        readonly quantity: number;
        readonly scope: DiscountScope | null;
        readonly millionths: number;
      };
      /** How often at most in one order; null without a limit. */
      readonly times: number | null;
    };

/** The least sum or number of the eligible lines. */
export interface Minimum {
  /** One per currency; none without a minimum amount. */
  readonly amounts: readonly MoneyInCurrency[];
  readonly quantity: number | null;
}
