// Story: an empty test shop becomes one to try things in, the same each time.

import { createProduct } from "#catalog/products/create-product.ts";
import { createCustomer } from "#customers/create-customer.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { defineRefusal, Refusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/get-store.ts";

import { seedCustomers, seedProducts } from "./seed.ts";

export const alreadySeeded = defineRefusal(
  "already_seeded",
  "conflict",
  "The shop holds what would be put into it; reset it first.",
);

export interface Seeded {
  readonly currency: CurrencyCode;
  readonly productIds: readonly Id<"product">[];
  readonly variantIds: readonly Id<"variant">[];
  readonly customerIds: readonly Id<"customer">[];
}

/**
 * Afterwards the shop has products with stock and prices in the currency, and customers; all of
 * them are announced. Refuses with `already_seeded` where one of them is there already.
 */
export async function seedShop(tx: Tx, asked: CurrencyCode | undefined): Promise<Seeded> {
  const currency = asked ?? (await getStore(tx)).currency;
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
  for (const asked of seedProducts(currency)) {
    const { id, variants } = await createProduct(tx, asked);
    productIds.push(id);
    variantIds.push(...variants.map((variant) => variant.id));
  }
  for (const draft of seedCustomers) customerIds.push((await createCustomer(tx, draft)).id);
  return { currency, productIds, variantIds, customerIds };
}
