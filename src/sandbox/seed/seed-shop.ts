// Story: fills a test shop with products and customers, the same each time.

import { createProduct } from "#catalog/products/create-product.ts";
import { createCustomer } from "#customers/create-customer.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { defineRefusal, Refusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/get-store.ts";

import { seedCustomers, seedProducts } from "./seed.ts";

export const alreadySeeded = defineRefusal("already_seeded", "conflict", {
  title: "The shop already contains seeded objects. Reset it first.",
  cause: "The test shop still contains objects of an earlier seed.",
  remedy: "Reset the test shop, then seed it again.",
});

export interface Seeded {
  readonly currency: CurrencyCode;
  readonly productIds: readonly Id<"product">[];
  readonly variantIds: readonly Id<"variant">[];
  readonly customerIds: readonly Id<"customer">[];
}

/**
 * Creates products with stock and prices in the currency, and customers, with their events. Refuses with
 * `already_seeded` if one of them exists.
 */
export async function seedShop(tx: Tx, given: CurrencyCode | undefined): Promise<Seeded> {
  const currency = given ?? (await getStore(tx)).currency;
  try {
    return await fill(tx, currency);
  } catch (error) {
    const isTaken = error instanceof Refusal && error.definition.kind === "conflict";
    throw isTaken ? alreadySeeded({ detail: error.message }) : error;
  }
}

async function fill(tx: Tx, currency: CurrencyCode): Promise<Seeded> {
  const productIds: Id<"product">[] = [];
  const variantIds: Id<"variant">[] = [];
  const customerIds: Id<"customer">[] = [];
  for (const product of seedProducts(currency)) {
    const { id, variants } = await createProduct(tx, product);
    productIds.push(id);
    variantIds.push(...variants.map((variant) => variant.id));
  }
  for (const draft of seedCustomers) customerIds.push((await createCustomer(tx, draft)).id);
  return { currency, productIds, variantIds, customerIds };
}
