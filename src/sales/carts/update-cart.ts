// Story: the lines or the fields of a cart change.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceCart, saveCart } from "./advance-carts.ts";
import { appliedCodesOf, EXPIRES_AFTER_MS, type PricedCart, requireOpen } from "./cart.ts";
import { lockCart } from "./lookups.ts";
import { type CartChange, validateCartChange } from "./validate-cart-change.ts";

/**
 * Replaces the given fields. A running checkout continues and keeps its abandonment time; removing
 * the last line returns the cart to `active`. Refuses with `cart_not_found`, `cart_completed`,
 * `cart_expired`, `stale_version`, `validation_failed`, `variant_not_for_sale`, `price_missing`.
 */
export async function updateCart(
  tx: Tx,
  id: Id<"cart">,
  { change: given, expected }: { readonly change: CartChange; readonly expected: ExpectedVersion },
): Promise<PricedCart> {
  const before = await lockCart(tx, id);
  requireOpen(before);
  requireVersion(before.version, expected);
  const { fields, ...priced } = await validateCartChange(tx, before, given);
  const { lines, price } = priced;
  const changed = {
    ...fields,
    remembered: lines,
    appliedCodes: appliedCodesOf(price),
    expiresAt: tx.now + EXPIRES_AFTER_MS,
  };
  if (before.status === "active" || lines.length > 0) {
    return { cart: await saveCart(tx, before, changed), ...priced };
  }
  const change = { ...changed, checkoutStartedAt: null, recoveryUrl: null };
  return advanceCart(tx, { cart: before, ...priced }, { action: "empty", change });
}
