// What the world hears of products: each announcement carries the product as it is answered.

import type { Announcement } from "#platform/database/database.ts";

import type { Product } from "./product.ts";
import { presentProduct } from "./schema.ts";

export type ProductFact =
  "product.created" | "product.updated" | "product.archived" | "product.deleted";

/** That something became of the product; `product` is how it is now, or was before it was deleted. */
export function productFact(name: ProductFact, product: Product): Announcement {
  return { name, subject: product.id, data: presentProduct(product) };
}
