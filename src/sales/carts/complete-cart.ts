// Story: a cart becomes an order. Both change in one transaction, so a refused order leaves the
// cart as it was.

import type { Id } from "#kernel/id.ts";
import { type Metadata, metadataAfter } from "#kernel/metadata.ts";
import { formatAmount } from "#kernel/money.ts";
import { PAYMENT_METHOD_DEFAULT, type PaymentMethod } from "#kernel/payment-method.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";
import type { PlacedOrder } from "#sales/orders/order.ts";
import { type OrderRequest, placeOrder } from "#sales/orders/place-order.ts";
import type { LimitedCaller } from "#shop/store/public-limits.ts";

import { advanceCart } from "./advance-carts.ts";
import { type Cart, type CartContact, cartEmpty, contactOf, requireOpen } from "./cart.ts";
import { lockCart, priceCart } from "./lookups.ts";

export interface Completion {
  /** Replaces the cart's payment method. */
  readonly paymentMethod: PaymentMethod | undefined;
  /** Replaces the cart's metadata. */
  readonly metadata: Metadata | undefined;
  /** Whether the cart's metadata keeps the names that a publishable key cannot send. */
  readonly keepsNames?: boolean;
  /** Whether the customer completes it without the merchant. */
  readonly isFromStranger: boolean;
  /** The caller whose bounds hold; undefined for the merchant and the pages behind links. */
  readonly placedBy?: LimitedCaller | undefined;
  /** Whether the empty fields of a known customer take the contact details of the cart. */
  readonly fillsCustomer?: boolean;
  /** The total that the customer was shown, in major units. */
  readonly expectedTotal?: number | string | undefined;
}

export interface CompletedCart {
  readonly placed: PlacedOrder;
  /** The contact details that the customer entered in the cart. */
  readonly contact: CartContact | null;
}

/**
 * Places the order at current prices and completes the cart; emits `cart.recovered` if the cart was
 * abandoned. Refuses with `cart_not_found`, `cart_completed` (with the order's id), `cart_empty`,
 * `cart_expired`, `stale_version`, and with the refusals of `placeOrder`.
 */
export async function completeCart(
  tx: Tx,
  id: Id<"cart">,
  { completion, expected }: { readonly completion: Completion; readonly expected: ExpectedVersion },
): Promise<CompletedCart> {
  const cart = await lockCart(tx, id);
  requireOpen(cart);
  requireVersion(cart.version, expected);
  const lines = await priceCart(tx, cart);
  if (lines.length === 0) throw cartEmpty();
  const placed = await placeOrder(tx, requestOf(cart, completion));
  const change = { orderId: placed.order.id, remembered: lines, expiresAt: null };
  await advanceCart(tx, { cart, lines }, { action: "complete", change });
  return { placed, contact: contactOf(cart) };
}

/** The charge of the cart as a request names it, in major units. */
function shippingOf({ shippingLabel: label, shippingMinor, currency }: Cart) {
  if (label === null && shippingMinor === 0) return null;
  return { label, amount: formatAmount(shippingMinor, currency) };
}

/** A contact without a customer id makes a customer only if it has an email or a phone. */
function requestOf(
  cart: Cart,
  { paymentMethod, metadata, keepsNames = false, ...terms }: Completion,
): OrderRequest {
  const { customerId, email, phone, name } = cart;
  const isReachable = email !== null || phone !== null;
  return {
    lines: cart.lines,
    customerId: customerId ?? undefined,
    customer: customerId === null && isReachable ? { email, phone, name } : undefined,
    paymentMethod: paymentMethod ?? cart.paymentMethod ?? PAYMENT_METHOD_DEFAULT,
    currency: cart.currency,
    channel: cart.channel,
    externalId: cart.externalId,
    cartId: cart.id,
    shippingAddress: cart.shippingAddress,
    billingAddress: cart.billingAddress,
    notes: cart.notes,
    shipping: shippingOf(cart),
    metadata: metadataAfter(cart.metadata, metadata, keepsNames),
    ...terms,
  };
}
