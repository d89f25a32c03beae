// The types of what the row of a product holds.

/** Only active products are sold. Storefront keys see neither drafts nor archived products. */
export const productStatuses = ["draft", "active", "archived"] as const;
export type ProductStatus = (typeof productStatuses)[number];
