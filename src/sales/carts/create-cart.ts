// Story: a cart is created.

import { newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { setCartTimers } from "#sales/recovery/recovery-timers.ts";
import { getStore } from "#shop/store/lookups.ts";

import {
  appliedCodesOf,
  type Cart,
  type CartFields,
  CHANNEL_DEFAULT,
  EXPIRES_AFTER_MS,
  type PricedCart,
} from "./cart.ts";
import { cartRows } from "./queries.ts";
import { type CartChange, validateCartChange } from "./validate-cart-change.ts";

const emptyFields: Omit<CartFields, "currency"> = {
  customerId: null,
  isOfSession: false,
  email: null,
  phone: null,
  name: null,
  lines: [],
  paymentMethod: null,
  shippingAddress: null,
  billingAddress: null,
  shippingLabel: null,
  shippingMinor: 0,
  shippingOptionId: null,
  discountCodes: [],
  taxId: null,
  notes: null,
  channel: CHANNEL_DEFAULT,
  externalId: null,
  metadata: {},
};

/**
 * Creates an active cart, in the shop's currency unless the request names one. Reserves no stock
 * and emits no event. Refuses with `validation_failed`, `variant_not_for_sale`, `price_missing`.
 */
export async function createCart(tx: Tx, request: CartChange): Promise<PricedCart> {
  const { currency } = await getStore(tx);
  const { fields, lines, price } = await validateCartChange(
    tx,
    { ...emptyFields, currency },
    request,
  );
  const cart: Cart = {
    ...fields,
    id: newId("cart", tx.now),
    status: "active",
    remembered: lines,
    appliedCodes: appliedCodesOf(price),
    breakdown: null,
    recoveryUrl: null,
    orderId: null,
    checkoutStartedAt: null,
    expiresAt: tx.now + EXPIRES_AFTER_MS,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await cartRows.insert(tx, cart);
  await setCartTimers(tx, null, cart);
  return { cart, lines, price };
}
