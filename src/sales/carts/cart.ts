// Carts: types, the life, and the rules that decide whether a cart may still change. A cart
// reserves no stock and fixes no price: until it is completed, both are read from the catalogue.

import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { allowedActions, machine, type StateOf } from "#kernel/machine.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { defineRefusal, type Refusal } from "#kernel/refusal.ts";
import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import type { QuotedLine } from "#pricing/quote/price-cart.ts";
import type { LineRequest } from "#pricing/quote/price-order.ts";

/** A row per state. action: [next state, event], null where no event is emitted. */
// prettier-ignore
export const cartLife = machine({
  active:    { checkout: ["checkout", "checkout.started"], complete: ["completed", null], expire: ["expired", null] },
  checkout:  { abandon: ["abandoned", "cart.abandoned"], complete: ["completed", null], empty: ["active", null] },
  abandoned: { checkout: ["checkout", "cart.recovered"], complete: ["completed", "cart.recovered"], empty: ["active", null], expire: ["expired", null] },
  completed: {},
  expired:   {},
});
export type CartStatus = StateOf<typeof cartLife>;
export const cartStatuses = ["active", "checkout", "abandoned", "completed", "expired"] as const;

/** A checkout that takes longer counts as abandoned: customers who pay finish within minutes. */
export const ABANDONED_AFTER_MS = HOUR_MS;
/** A cart expires this long after its last change: a pay period has passed without a purchase. */
export const EXPIRES_AFTER_MS = 30 * DAY_MS;
/** Lines of one cart or order. */
export const LINES_MAX = 100;
/** Units of one line: more than any shop stocks. */
export const QUANTITY_MAX = 1_000_000;

/** The channel of every cart and of the order made from it. */
export const CART_CHANNEL = "online_store";

/** The contact details that the customer entered in the cart. */
export interface CartContact {
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/** The fields of a cart that a caller sets. */
export interface CartFields extends CartContact {
  readonly customerId: Id<"customer"> | null;
  readonly currency: CurrencyCode;
  readonly lines: readonly LineRequest[];
  readonly paymentMethod: PaymentMethod | null;
  readonly shippingAddress: Address | null;
  readonly metadata: Metadata;
}

export interface Cart extends CartFields {
  readonly id: Id<"cart">;
  readonly status: CartStatus;
  /** The priced lines at the last change; for a completed cart, the lines as they were ordered. */
  readonly remembered: readonly QuotedLine[];
  /** Set when the cart is abandoned. */
  readonly recoveryUrl: string | null;
  readonly orderId: Id<"order"> | null;
  readonly checkoutStartedAt: number | null;
  /** Extended by every change that the customer makes. */
  readonly expiresAt: number | null;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A cart with what its lines cost. */
export interface PricedCart {
  readonly cart: Cart;
  readonly lines: readonly QuotedLine[];
}

/** The contact details, or null if all of them are missing. */
export function contactOf({ email, phone, name }: CartContact): CartContact | null {
  return email === null && phone === null && name === null ? null : { email, phone, name };
}

export const cartNotFound = defineRefusal("cart_not_found", "not_found", "There is no such cart.");
export const cartCompleted = defineRefusal(
  "cart_completed",
  "conflict",
  "The cart has already been completed.",
);
export const cartExpired = defineRefusal(
  "cart_expired",
  "conflict",
  "The cart has expired; create a new one.",
);
export const cartEmpty = defineRefusal("cart_empty", "conflict", "The cart has no line items.");

/**
 * The refusal of an action that the cart's status does not allow. Throws an Error for an open cart,
 * because callers choose the action by its status.
 */
export function cartForbids(cart: Pick<Cart, "status" | "orderId">): Refusal {
  if (cart.status === "completed") return cartCompleted({ members: { order_id: cart.orderId } });
  if (cart.status === "expired") return cartExpired();
  const allowed = allowedActions(cartLife, cart.status).join(", ");
  throw new Error(`A cart in ${cart.status} allows only ${allowed}.`);
}

/** Refuses with `cart_completed` or `cart_expired` if the cart is in a final state. */
export function requireOpen(cart: Pick<Cart, "status" | "orderId">): void {
  if (cart.status === "completed" || cart.status === "expired") throw cartForbids(cart);
}
