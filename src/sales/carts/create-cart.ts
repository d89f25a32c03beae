// Story: somebody begins to fill a cart.

import { newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { setCartTimers } from "#sales/recovery/recovery-timers.ts";
import { getStore } from "#shop/store/get-store.ts";

import { type Cart, type CartFields, EXPIRES_AFTER_MS, type PricedCart } from "./cart.ts";
import { insertCart } from "./queries.ts";
import { type CartChange, validateCartChange } from "./validate-cart-change.ts";

const nothing: Omit<CartFields, "currency"> = {
  customerId: null,
  email: null,
  phone: null,
  name: null,
  lines: [],
  paymentMethod: null,
  shippingAddress: null,
  metadata: {},
};

/**
 * Afterwards the cart is there; it holds no stock and the world is told nothing. In the shop's
 * currency where nothing is said. Refuses with `validation_failed`, `variant_not_for_sale`,
 * `price_missing`.
 */
export async function createCart(tx: Tx, request: CartChange): Promise<PricedCart> {
  const { currency } = await getStore(tx);
  const { fields, lines } = await validateCartChange(tx, { ...nothing, currency }, request);
  const cart: Cart = {
    ...fields,
    id: newId("cart", tx.now),
    status: "active",
    remembered: lines,
    recoveryUrl: null,
    orderId: null,
    checkoutStartedAt: null,
    expiresAt: tx.now + EXPIRES_AFTER_MS,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await insertCart(tx, cart);
  await setCartTimers(tx, null, cart);
  return { cart, lines };
}
