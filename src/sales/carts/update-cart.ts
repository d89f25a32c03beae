// Stories: a cart is created, its lines or its fields change, its checkout starts, and it is deleted.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";
import { addLine, type LineGiven, toRemember } from "#sales/rows/cart-lines.ts";
import {
  appliedCodesOf,
  type Cart,
  cartEmpty,
  type CartFields,
  cartForbids,
  emptyShared,
  EXPIRES_AFTER_MS,
  type PricedCart,
  requireOpen,
} from "#sales/rows/cart.ts";
import { setCartTimers } from "#sales/rows/recovery-timers.ts";
import { getStore } from "#shop/store/lookups.ts";

import { advanceCart, saveCart } from "./advance-carts.ts";
import { lockCart } from "./lookups.ts";
import { cartRows, deleteCartRow } from "./queries.ts";
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
  const { changed, ...priced } = await changedBy(tx, before, given);
  const { lines } = priced;
  if (before.status === "active" || lines.length > 0) {
    return { cart: await saveCart(tx, before, changed), ...priced };
  }
  const change = { ...changed, checkoutStartedAt: null, recoveryUrl: null };
  return advanceCart(tx, { cart: before, ...priced }, { action: "empty", change });
}

/**
 * Replaces the given fields and moves the cart to `checkout`; emits `checkout.started`, or
 * `cart.recovered` if the cart was abandoned. A running checkout continues and keeps its
 * abandonment time: a cart that is not completed within the hour counts as abandoned. Refuses with `cart_empty` and with the
 * refusals of `updateCart`.
 */
export async function startCheckout(
  tx: Tx,
  id: Id<"cart">,
  { change, expected }: { readonly change: CartChange; readonly expected: ExpectedVersion },
): Promise<PricedCart> {
  const before = await lockCart(tx, id);
  requireOpen(before);
  requireVersion(before.version, expected);
  const { changed, ...priced } = await changedBy(tx, before, change);
  if (priced.lines.length === 0) throw cartEmpty();
  if (before.status === "checkout") {
    return { cart: await saveCart(tx, before, changed), ...priced };
  }
  return advanceCart(
    tx,
    { cart: before, ...priced },
    { action: "checkout", change: { ...changed, checkoutStartedAt: tx.now } },
  );
}

/** The columns of the cart after the change, and its price then. */
async function changedBy(tx: Tx, before: Cart, change: CartChange) {
  const { fields, lines, price } = await validateCartChange(tx, before, change);
  const changed = {
    ...fields,
    remembered: toRemember(lines),
    appliedCodes: appliedCodesOf(price),
    expiresAt: tx.now + EXPIRES_AFTER_MS,
  };
  return { changed, lines, price };
}

/** A cart to which units were added; a new line has none of the lines before. */
export interface FilledCart extends PricedCart {
  readonly isNewLine: boolean;
}

/**
 * Adds units to the cart, as a new line or to the line of the variant with equal metadata. Refuses as `updateCart` does, and with
 * `validation_failed` a line too many.
 */
export async function addCartLine(
  tx: Tx,
  id: Id<"cart">,
  { line, change, expected }: AddedLine,
): Promise<FilledCart> {
  const given = { ...line, id: newId("cartLine", tx.now) };
  const priced = await updateCart(tx, id, {
    change: { ...change, lines: addLine(given) },
    expected,
  });
  return { ...priced, isNewLine: priced.lines.some((one) => one.id === given.id) };
}

interface AddedLine {
  readonly line: LineGiven;
  readonly change: CartChange;
  readonly expected: ExpectedVersion;
}

const emptyFields: Omit<CartFields, "currency"> = {
  ...emptyShared,
  customerId: null,
  isOfSession: false,
  email: null,
  phone: null,
  name: null,
  lines: [],
  paymentMethod: null,
  shippingLabel: null,
  shippingMinor: 0,
  shippingOptionId: null,
  discountCodes: [],
  taxId: null,
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
    remembered: toRemember(lines),
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

/**
 * Deletes the cart and its timers; emits no event. Refuses with `cart_not_found`, `stale_version`,
 * and with `cart_completed` once the cart is an order.
 */
export async function deleteCart(
  tx: Tx,
  id: Id<"cart">,
  expected: ExpectedVersion,
): Promise<undefined> {
  const cart = await lockCart(tx, id);
  if (cart.status === "completed") throw cartForbids(cart);
  requireVersion(cart.version, expected);
  await deleteCartRow(tx, id);
  await clearTimer(tx, "abandon_cart", id);
  await clearTimer(tx, "expire_cart", id);
}
