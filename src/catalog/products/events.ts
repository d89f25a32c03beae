// The events of products. Their payload is the product as the API returns it.

import type { Announcement } from "#platform/database/database.ts";

import type { Product } from "./product.ts";
import { productWire } from "./schema.ts";

export type ProductFact =
  "product.created" | "product.updated" | "product.archived" | "product.deleted";

/** Builds an event. `product` is the current product, or the last one before its deletion. */
export function productFact(name: ProductFact, product: Product): Announcement {
  return { name, subject: product.id, data: productWire.present(product) };
}
