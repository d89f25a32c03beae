// Story: a cart becomes an order, in one transaction: what cannot be sold leaves the cart as it was.

import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { PAYMENT_METHOD_DEFAULT, type PaymentMethod } from "#kernel/payment-method.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";
import type { WholeOrder } from "#sales/orders/order.ts";
import { type OrderRequest, placeOrder } from "#sales/orders/place-order.ts";

import { advanceCart } from "./advance-cart.ts";
import {
  type Cart,
  CART_CHANNEL,
  type CartContact,
  cartEmpty,
  contactOf,
  requireOpen,
} from "./cart.ts";
import { getCart } from "./lookups.ts";

export interface Completion {
  /** The cart's where nothing is said. */
  readonly paymentMethod: PaymentMethod | undefined;
  /** The cart's where nothing is said. */
  readonly metadata: Metadata | undefined;
}

export interface CompletedCart {
  readonly placed: WholeOrder;
  /** What the customer said of themselves in the cart. */
  readonly contact: CartContact | null;
}

/**
 * Afterwards the order is placed at today's prices as `placeOrder` tells, and the cart is completed;
 * one that had been abandoned is recovered. Refuses with `cart_completed` and the order's id, with
 * `cart_empty`, `cart_expired`, `stale_version`, and as placing an order does.
 */
export async function completeCart(
  tx: Tx,
  id: Id<"cart">,
  { completion, expected }: { readonly completion: Completion; readonly expected: ExpectedVersion },
): Promise<CompletedCart> {
  const { cart, lines } = await getCart(tx, id);
  requireOpen(cart);
  requireVersion(cart.version, expected);
  if (lines.length === 0) throw cartEmpty();
  const placed = await placeOrder(tx, requestOf(cart, completion));
  const change = { orderId: placed.order.id, remembered: lines, expiresAt: null };
  await advanceCart(tx, { cart, lines }, { action: "complete", change });
  return { placed, contact: contactOf(cart) };
}

/** A cart is a storefront's; whoever said who they are becomes a customer if they can be reached. */
function requestOf(cart: Cart, { paymentMethod, metadata }: Completion): OrderRequest {
  const { customerId, email, phone, name } = cart;
  const isReachable = email !== null || phone !== null;
  return {
    lines: cart.lines,
    customerId: customerId ?? undefined,
    customer: customerId === null && isReachable ? { email, phone, name } : undefined,
    paymentMethod: paymentMethod ?? cart.paymentMethod ?? PAYMENT_METHOD_DEFAULT,
    currency: cart.currency,
    channel: CART_CHANNEL,
    externalId: null,
    cartId: cart.id,
    shippingAddress: cart.shippingAddress,
    billingAddress: null,
    notes: null,
    shipping: null,
    metadata: metadata ?? cart.metadata,
  };
}
