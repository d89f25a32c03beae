// Lookup: a product that a story decides on, held until its transaction ends. Invariant: a product is
// the root of its variants and tags, so whoever changes any of them holds its row first; variants come
// after it, in the order of their ids, and stock levels after those.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import { findProducts } from "./find-products.ts";
import { onlyProduct, type Product } from "./product.ts";
import { holdProductRow } from "./queries.ts";

/** The product, which nobody else changes meanwhile. Refuses with `product_not_found`. */
export async function holdProduct(tx: Tx, id: Id<"product">): Promise<Product> {
  await holdProductRow(tx, { id });
  return onlyProduct(await findProducts(tx, { id }));
}
