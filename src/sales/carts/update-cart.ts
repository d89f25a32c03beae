// Story: the customer changes what is in the cart, or says more about themselves.

import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceCart } from "./advance-cart.ts";
import { EXPIRES_AFTER_MS, type PricedCart, requireOpen } from "./cart.ts";
import { getCart } from "./lookups.ts";
import { saveCart } from "./save-cart.ts";
import { type CartChange, validateCartChange } from "./validate-cart-change.ts";

/**
 * Afterwards the given fields are replaced. A checkout goes on, its hour too; one whose last line
 * was taken out is over. Refuses with `cart_completed`, `cart_expired`, `stale_version`,
 * `validation_failed`, `variant_not_for_sale`, `price_missing`.
 */
export async function updateCart(
  tx: Tx,
  id: Id<"cart">,
  { change, expected }: { readonly change: CartChange; readonly expected: ExpectedVersion },
): Promise<PricedCart> {
  const { cart: before } = await getCart(tx, id);
  requireOpen(before);
  requireVersion(before.version, expected);
  const { fields, lines } = await validateCartChange(tx, before, change);
  const changed = { ...fields, remembered: lines, expiresAt: tx.now + EXPIRES_AFTER_MS };
  if (before.status === "active" || lines.length > 0) {
    return { cart: await saveCart(tx, before, changed), lines };
  }
  const nothingLeft = { checkoutStartedAt: null, recoveryUrl: null };
  return advanceCart(
    tx,
    { cart: before, lines },
    { action: "empty", change: { ...changed, ...nothingLeft } },
  );
}
