// Story: the customer goes to the counter. From here on the hour runs, and what they saw is
// remembered.

import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceCart } from "./advance-cart.ts";
import { cartEmpty, EXPIRES_AFTER_MS, type PricedCart, requireOpen } from "./cart.ts";
import { getCart } from "./lookups.ts";
import { saveCart } from "./save-cart.ts";
import { type CartChange, validateCartChange } from "./validate-cart-change.ts";

/**
 * Afterwards the given fields are replaced and the cart is in checkout: `checkout.started`, or
 * `cart.recovered` where it had been abandoned. A checkout that runs goes on, its hour too. Refuses
 * with `cart_empty` and as a change of the cart does.
 */
export async function startCheckout(
  tx: Tx,
  id: Id<"cart">,
  { change, expected }: { readonly change: CartChange; readonly expected: ExpectedVersion },
): Promise<PricedCart> {
  const { cart: before } = await getCart(tx, id);
  requireOpen(before);
  requireVersion(before.version, expected);
  const { fields, lines } = await validateCartChange(tx, before, change);
  if (lines.length === 0) throw cartEmpty();
  const changed = { ...fields, remembered: lines, expiresAt: tx.now + EXPIRES_AFTER_MS };
  if (before.status === "checkout") {
    return { cart: await saveCart(tx, before, changed), lines };
  }
  return advanceCart(
    tx,
    { cart: before, lines },
    { action: "checkout", change: { ...changed, checkoutStartedAt: tx.now } },
  );
}
