// Story: a cart becomes an order. Both change in one transaction, so a refused order leaves the
// cart as it was.

import { hasProved } from "#customers/customer.ts";
import { notSignedIn } from "#customers/sessions/session.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { type Metadata, metadataAfter } from "#kernel/metadata.ts";
import { formatAmount } from "#kernel/money.ts";
import { PAYMENT_METHOD_DEFAULT, type PaymentMethod } from "#kernel/payment-method.ts";
import type { Tx } from "#platform/database/database.ts";
import { advanceCart } from "#sales/carts/advance-carts.ts";
import { cartAt, lockCart } from "#sales/carts/lookups.ts";
import type { PlacedOrder } from "#sales/links/link-addresses.ts";
import type { OrderCustomerRequest } from "#sales/orders/lookups.ts";
import { toRemember } from "#sales/rows/cart-lines.ts";
import {
  type Cart,
  type CartContact,
  cartEmpty,
  contactOf,
  isOfOther,
  ownerIn,
  type PricedCart,
  requireOpen,
  sharedOf,
} from "#sales/rows/cart.ts";
import { type LimitedCaller, unlimited } from "#shop/store/public-limits.ts";

import { merchantVisit, type OrderRequest, type Visit } from "./order-request.ts";
import { placeOrder } from "./place-order.ts";

const OF_SESSION =
  "The cart is that of a customer who is signed in. Send `Customer-Token`, or change the cart without it: it is a guest's then.";

export interface Completion {
  /** Replaces the cart's payment method. */
  readonly paymentMethod: PaymentMethod | undefined;
  /** Replaces the cart's metadata. */
  readonly metadata: Metadata | undefined;
  /** True if the cart's metadata keeps the names that a publishable key cannot send. */
  readonly keepsNames?: boolean;
  /** True if the merchant completes it; by a key in a public page, or on the page of a link, the customer does. */
  readonly isFromMerchant: boolean;
  /** The caller whose bounds hold; undefined for the merchant and the pages behind links. */
  readonly placedBy?: LimitedCaller | undefined;
  /** The session with which the completion came, if any. */
  readonly visit?: Visit;
  /** True if the empty fields of a known customer take the contact details of the cart. */
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
 * `cart_expired`, `stale_version`, `customer_session_invalid` for a publishable key without the session that has the cart,
 * and with the refusals of `placeOrder`.
 */
export async function completeCart(
  tx: Tx,
  id: Id<"cart">,
  { completion, expected }: { readonly completion: Completion; readonly expected: ExpectedVersion },
): Promise<CompletedCart> {
  const before = await lockCart(tx, id);
  requireOpen(before);
  requireVersion(before.version, expected);
  if (before.lines.length === 0) throw cartEmpty();
  const { visit: { signedIn } = merchantVisit, placedBy = unlimited } = completion;
  const visitor = { signedIn, isPublic: placedBy.isPublic };
  // Else it would cost more than the customer was shown, or be a stranger's order with their contact.
  if (signedIn === null && isOfOther(before, visitor)) throw notSignedIn(OF_SESSION);
  const owner = ownerIn(before, visitor);
  const cart = { ...before, ...owner };
  // As the cart stands before the order takes its stock.
  const priced = await cartAt(tx, cart, tx.now);
  const placed = await placeOrder(tx, requestOf(cart, completion));
  const change = { ...owner, ...ordered(priced, placed) };
  await advanceCart(tx, { ...priced, cart: before }, { action: "complete", change });
  return { placed, contact: contactOf(cart) };
}

/** The completed cart as it is shown: its lines as they were ordered. */
function ordered({ lines }: PricedCart, { order, lines: sold }: PlacedOrder): Partial<Cart> {
  return {
    orderId: order.id,
    remembered: toRemember(lines).map((line, position) => {
      const { unitPriceMinor, subtotalMinor } = sold[position] ?? {};
      if (unitPriceMinor === undefined || subtotalMinor === undefined) return line;
      return { ...line, unitPriceMinor, totalMinor: subtotalMinor };
    }),
    shippingOptionId: order.breakdown?.shipping.optionId ?? null,
    shippingLabel: order.shippingLabel,
    shippingMinor: order.shippingMinor,
    breakdown: order.breakdown,
    expiresAt: null,
  };
}

/** The shipping that the cart asks for; a charge is in major units. */
function shippingOf({ shippingOptionId, shippingLabel: label, shippingMinor, currency }: Cart) {
  if (shippingOptionId !== null) return { optionId: shippingOptionId };
  if (label === null && shippingMinor === 0) return null;
  return { label, amount: formatAmount(shippingMinor, currency) };
}

/** A contact without a customer id makes a customer only if it has an email or a phone. */
function requestOf(
  cart: Cart,
  {
    paymentMethod,
    metadata,
    keepsNames = false,
    isFromMerchant,
    placedBy = unlimited,
    visit: { signedIn, ...proof } = merchantVisit,
    fillsCustomer = false,
    expectedTotal,
  }: Completion,
): OrderRequest {
  return {
    written: {
      ...sharedOf(cart),
      cartId: cart.id,
      paymentMethod: paymentMethod ?? cart.paymentMethod ?? PAYMENT_METHOD_DEFAULT,
      metadata: metadataAfter(cart.metadata, metadata, keepsNames),
    },
    contact: customerOf(cart),
    sale: {
      lines: cart.lines.map(({ id: _id, ...line }) => line),
      currency: cart.currency,
      shipping: shippingOf(cart),
      codes: cart.discountCodes,
      // With a total that the customer was shown, only that decides.
      requiredCodes: expectedTotal === undefined ? cart.appliedCodes : [],
      discount: null,
      taxId: cart.taxId,
      expectedTotal,
    },
    trust: {
      isFromMerchant,
      // A contact that was typed proves no one.
      isCustomerProved: cart.customerId !== null,
      needsShipping: true,
      // The contact of a session's cart is that of its order alone.
      fillsCustomer: fillsCustomer && !cart.isOfSession,
      hasProvedContact: signedIn !== null && hasProved(signedIn),
      placedBy,
      ...proof,
    },
  };
}

function customerOf({ customerId, isOfSession, email, phone, name }: Cart): OrderCustomerRequest {
  const isReachable = email !== null || phone !== null;
  const customer = isReachable ? { email, phone, name } : undefined;
  if (customerId === null) return { customer };
  return isOfSession ? { signedInId: customerId, customer } : { customerId };
}
