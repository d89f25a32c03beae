// Products and variants: types, rules and refusals. A product always has at least one variant, and
// it is variants that are priced, stocked and sold.

import type { CurrencyCode } from "#kernel/currency.ts";
import { defineRefusal } from "#kernel/refusal.ts";

/** Only an active product is sold; a draft is not shown yet, an archived one no longer. */
export const productStatuses = ["draft", "active", "archived"] as const;
export type ProductStatus = (typeof productStatuses)[number];

export interface Image {
  readonly url: string;
  readonly alt: string;
}

/** Such as size, with the values a variant may have. */
export interface ProductOption {
  readonly name: string;
  readonly values: readonly string[];
}

/** The value a variant has of each option. */
export type OptionValues = Readonly<Record<string, string>>;

/** In one currency, integer minor units; `compareAtMinor` is the price it is marked down from. */
export interface Price {
  readonly currency: CurrencyCode;
  readonly amountMinor: number;
  readonly compareAtMinor: number | null;
}

export const productNotFound = defineRefusal(
  "product_not_found",
  "not_found",
  "There is no such product.",
);
export const variantNotFound = defineRefusal(
  "variant_not_found",
  "not_found",
  "There is no such variant of this product.",
);
export const skuTaken = defineRefusal("sku_taken", "conflict", "Another variant has this SKU.");
export const slugTaken = defineRefusal("slug_taken", "conflict", "Another product has this slug.");
export const lastVariant = defineRefusal(
  "last_variant",
  "conflict",
  "A product keeps at least one variant.",
);
