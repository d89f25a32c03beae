// Carts: types, the life, and the rules of what a cart may still become. A cart holds no stock and
// no price: both are the catalogue's of today until the cart is completed.

import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { allowedActions, machine, type StateOf } from "#kernel/machine.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { defineRefusal, type Refusal } from "#kernel/refusal.ts";
import type { QuotedLine } from "#pricing/quote/price-cart.ts";
import type { LineRequest } from "#pricing/quote/price-order.ts";

/** A row per state. action: [next state, event], null where the world is not told. */
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

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A checkout that takes longer was left: a customer who pays is through in minutes. */
export const ABANDONED_AFTER_MS = HOUR_MS;
/** How long a cart waits for its customer: a month's pay later they have bought it or never will. */
export const EXPIRES_AFTER_MS = 30 * DAY_MS;
/** Lines of one cart or order. */
export const LINES_MAX = 100;
/** Units of one line: more than any shelf holds. */
export const QUANTITY_MAX = 1_000_000;

/** Where an order that was a cart comes from. */
export const CART_CHANNEL = "online_store";

/** How the customer of a cart can be reached, as they said it themselves. */
export interface CartContact {
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/** What a caller says of a cart. */
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
  /** The lines as their customer saw them last, priced; a completed cart keeps them for good. */
  readonly remembered: readonly QuotedLine[];
  /** Made when the cart is abandoned. */
  readonly recoveryUrl: string | null;
  readonly orderId: Id<"order"> | null;
  readonly checkoutStartedAt: number | null;
  /** Moves on with everything the customer does. */
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

/** How the customer can be reached, or null where nothing was said. */
export function contactOf({ email, phone, name }: CartContact): CartContact | null {
  return email === null && phone === null && name === null ? null : { email, phone, name };
}

export const cartNotFound = defineRefusal("cart_not_found", "not_found", "There is no such cart.");
export const cartCompleted = defineRefusal(
  "cart_completed",
  "conflict",
  "The cart became an order already.",
);
export const cartExpired = defineRefusal(
  "cart_expired",
  "conflict",
  "The cart has expired; make a new one.",
);
export const cartEmpty = defineRefusal("cart_empty", "conflict", "There is nothing in the cart.");

/** The refusal of anything done to a cart whose life is over or does not allow it. */
export function cartForbids(cart: Pick<Cart, "status" | "orderId">): Refusal {
  if (cart.status === "completed") return cartCompleted({ members: { order_id: cart.orderId } });
  if (cart.status === "expired") return cartExpired();
  const allowed = allowedActions(cartLife, cart.status).join(", ");
  throw new Error(`A cart in ${cart.status} allows ${allowed} and nothing else.`);
}

/** Refuses with `cart_completed` or `cart_expired` where the cart's life is over. */
export function requireOpen(cart: Pick<Cart, "status" | "orderId">): void {
  if (cart.status === "completed" || cart.status === "expired") throw cartForbids(cart);
}
