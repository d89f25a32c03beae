// The terms of an import of products, and of customers.

import { slugOf } from "#catalog/rows/product.ts";
import type { CustomerDraft } from "#imports/customer-files/customer-draft.ts";
import type { ProductDraft } from "#imports/product-files/product-draft.ts";

import type { ImportedNoun } from "./run-import.ts";

export const importedProducts: ImportedNoun<ProductDraft> = {
  batch: 20,
  given: ({ body, keepsSlug }) => ({ body, keepsSlug }),
  same: {
    pointer: "/slug",
    detail: (row) => `By its slug or a SKU, the shop takes this for the product of row ${row}.`,
  },
  formatHint,
};

export const importedCustomers: ImportedNoun<CustomerDraft> = {
  batch: 100,
  given: ({ body }) => body,
  same: {
    pointer: "/email",
    detail: (row) => `By its email or phone, the shop takes this for the customer of row ${row}.`,
  },
};

function formatHint(pointer: string, value: string): string | undefined {
  if (pointer === "/slug") {
    return `A slug has small letters, digits and hyphens, such as ${slugOf(value)}.`;
  }
  if (/^(?:\/variants\/\d+)?\/image/.test(pointer)) {
    return "An image is an address such as https://shop.example/mug.jpg.";
  }
  return undefined;
}
