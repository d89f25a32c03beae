// Story: gives a test shop the least that can be sold: four products with stock, and two customers. Nothing else
// decides on a price, so that a test can say what an order comes to.

import { createProduct } from "#catalog/products/create-product.ts";
import { createCustomer } from "#customers/create-customer.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import { seedCustomers } from "./seed-customers.ts";
import { seedProducts } from "./seed-products.ts";

const PRODUCTS = 4;
const CUSTOMERS = 2;

/** Afterwards the empty shop has products and customers. `publicUrl` is where their pictures are served. */
export async function seedSmall(tx: Tx, publicUrl: string): Promise<void> {
  const { currency } = await getStore(tx);
  for (const product of seedProducts(currency, publicUrl).slice(0, PRODUCTS)) {
    await createProduct(tx, product);
  }
  for (const { details } of seedCustomers.slice(0, CUSTOMERS)) await createCustomer(tx, details);
}
