// Story: the customer starts the checkout of a cart. From here on the cart counts as abandoned when
// it is not completed within the hour.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import {
  appliedCodesOf,
  cartEmpty,
  EXPIRES_AFTER_MS,
  type PricedCart,
  requireOpen,
} from "#sales/rows/cart.ts";

import { advanceCart, saveCart } from "./advance-carts.ts";
import { lockCart } from "./lookups.ts";
import { type CartChange, validateCartChange } from "./validate-cart-change.ts";

/**
 * Replaces the given fields and moves the cart to `checkout`; emits `checkout.started`, or
 * `cart.recovered` if the cart was abandoned. A running checkout continues and keeps its
 * abandonment time. Refuses with `cart_empty` and with the refusals of `updateCart`.
 */
export async function startCheckout(
  tx: Tx,
  id: Id<"cart">,
  { change, expected }: { readonly change: CartChange; readonly expected: ExpectedVersion },
): Promise<PricedCart> {
  const before = await lockCart(tx, id);
  requireOpen(before);
  requireVersion(before.version, expected);
  const { fields, ...priced } = await validateCartChange(tx, before, change);
  if (priced.lines.length === 0) throw cartEmpty();
  const { lines, price } = priced;
  const changed = {
    ...fields,
    remembered: lines,
    appliedCodes: appliedCodesOf(price),
    expiresAt: tx.now + EXPIRES_AFTER_MS,
  };
  if (before.status === "checkout") {
    return { cart: await saveCart(tx, before, changed), ...priced };
  }
  return advanceCart(
    tx,
    { cart: before, ...priced },
    { action: "checkout", change: { ...changed, checkoutStartedAt: tx.now } },
  );
}
