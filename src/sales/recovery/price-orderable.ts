// Lookup: what comes of a cart if it is ordered without what can no longer be sold.

import type { Reader } from "#platform/database/database.ts";
import type { PricedCart } from "#sales/carts/cart.ts";
import { openCartAt } from "#sales/carts/lookups.ts";
import type { CartPricing } from "#sales/carts/price-cart.ts";

import { orderableLines } from "./orderable-lines.ts";

/** Returns an open cart as it would be ordered: with what can be sold of its lines. */
export function priceOrderable(
  db: Reader,
  { cart, lines }: Pick<PricedCart, "cart" | "lines">,
  pricing: CartPricing,
): Promise<PricedCart> {
  const orderable = orderableLines(lines).map(({ variantId, quantity }) => ({
    variantId,
    quantity,
  }));
  return openCartAt(db, { ...cart, lines: orderable }, pricing);
}
