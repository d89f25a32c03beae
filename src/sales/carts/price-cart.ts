// Lookup: what a cart comes to. Two statements, however many lines.

import { findSellableUnits } from "#catalog/inventory/find-sellable-units.ts";
import { findSellableVariants } from "#catalog/products/find-sellable-variants.ts";
import type { Reader } from "#platform/database/store.ts";

import type { Cart, PricedLine } from "./cart.ts";
import { priceLines } from "./pricing.ts";

/** The cart's lines at today's prices; those of a completed one as they were ordered. */
export async function priceCart(
  db: Reader,
  cart: Pick<Cart, "lines" | "currency"> & Partial<Pick<Cart, "status" | "remembered">>,
): Promise<readonly PricedLine[]> {
  if (cart.status === "completed" && cart.remembered !== undefined) return cart.remembered;
  const ids = [...new Set(cart.lines.map((line) => line.variantId))];
  return priceLines(cart.lines, cart.currency, {
    entries: await findSellableVariants(db, ids),
    sellable: await findSellableUnits(db, ids),
  });
}
