// Lookup: what an order needs to know of variants. One statement, on the path of every order.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

import { findVariantsForSale } from "./queries.ts";
import { type Price, saleName } from "./variant.ts";

export interface SellableVariant {
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
  /** The product's, with the variant's title unless that says nothing. */
  readonly name: string;
  /** Whether it is offered and its product is active. */
  readonly isForSale: boolean;
  readonly prices: readonly Price[];
  readonly wasSold: boolean;
}

/** The variants among these ids that exist, for sale or not. */
export async function findSellableVariants(
  db: Reader,
  ids: readonly Id<"variant">[],
): Promise<ReadonlyMap<Id<"variant">, SellableVariant>> {
  const found = new Map<Id<"variant">, SellableVariant>();
  if (ids.length === 0) return found;
  for (const row of await findVariantsForSale(db, { ids })) {
    found.set(row.variantId, {
      variantId: row.variantId,
      productId: row.productId,
      sku: row.sku,
      name: saleName(row.productName, row.title),
      isForSale: row.status === "active" && row.archivedAt === null,
      prices: row.prices,
      wasSold: row.firstSoldAt !== null,
    });
  }
  return found;
}
