// Carts: limits, and the rules that decide whether a cart may still change. A cart reserves no stock
// and fixes no price: until it is completed, both are read from the catalog.

import { contactOnRecord, type Customer } from "#customers/customer.ts";
import { allowedActions } from "#kernel/machine.ts";
import { defineRefusal, type Refusal } from "#kernel/refusal.ts";
import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import { type Breakdown, type SaleSums, sumsOf } from "#pricing/quote/breakdown.ts";
import { type CartLine, cartTotal, type QuotedLine } from "#pricing/quote/price-cart.ts";
import type { SaleQuote } from "#pricing/quote/quote-sale.ts";

import { cartLife } from "./order-life.ts";
import type { Missing } from "./requirements.ts";
import type { CartRow } from "./tables.ts";

/** A checkout that takes longer counts as abandoned: customers who pay finish within minutes. */
export const ABANDONED_AFTER_MS = HOUR_MS;
/** A cart expires this long after its last change: a pay period has passed without a purchase. */
export const EXPIRES_AFTER_MS = 30 * DAY_MS;
/** Lines of one cart or order. */
export const LINES_MAX = 100;
/** Units of one line: more than any shop stocks. */
export const QUANTITY_MAX = 1_000_000;

/** The channel of a cart that names none, and of the order made from it. */
export const CHANNEL_DEFAULT = "online_store";

/** A cart each of whose lines has its id. */
export interface Cart extends Omit<CartRow, "lines" | "remembered"> {
  readonly lines: readonly CartLine[];
  readonly remembered: readonly QuotedLine[];
}

/**
 * The columns that requests write into carts and orders alike, and that an order takes from its cart as they are. A request
 * that does not read a new one, and a checkout that does not pass it on, do not compile.
 */
export type SharedColumns = Pick<
  Cart,
  "shippingAddress" | "billingAddress" | "notes" | "channel" | "externalId" | "metadata"
>;

/** The shared columns of a cart or an order of which the request says nothing. */
export const emptyShared: SharedColumns = {
  shippingAddress: null,
  billingAddress: null,
  notes: null,
  channel: CHANNEL_DEFAULT,
  externalId: null,
  metadata: {},
};

/** The shared columns alone. */
export function sharedOf(cart: Cart): SharedColumns {
  const { shippingAddress, billingAddress, notes, channel, externalId, metadata } = cart;
  return { shippingAddress, billingAddress, notes, channel, externalId, metadata };
}

/** The contact details that the customer entered in the cart. */
export type CartContact = Pick<Cart, "email" | "phone" | "name">;

/** The fields of a cart that a caller sets. */
export type CartFields = CartContact &
  SharedColumns &
  Pick<
    Cart,
    | "customerId"
    | "isOfSession"
    | "currency"
    | "lines"
    | "paymentMethod"
    | "shippingLabel"
    | "shippingMinor"
    | "shippingOptionId"
    | "discountCodes"
    | "taxId"
  >;

/** A cart with what it comes to. */
export interface PricedCart {
  readonly cart: Cart;
  readonly lines: readonly QuotedLine[];
  readonly price: CartPrice;
}

/** The price of a cart beside its lines. */
export interface CartPrice extends Pick<SaleQuote, "options" | "rejected" | "problem"> {
  /** Null in a shop without discounts, taxes and shipping rates. */
  readonly breakdown: Breakdown | null;
  readonly shippingLabel: string | null;
  readonly shippingMinor: number;
  readonly pricesIncludeTax: boolean;
  /** The details that the customer has not given, in the order in which they are told. */
  readonly missing: readonly Missing[];
}

/** The sums of a cart. */
export function sumsOfCart({ lines, price }: Pick<PricedCart, "lines" | "price">): SaleSums {
  const { shippingMinor, breakdown } = price;
  return sumsOf({ subtotalMinor: cartTotal(lines), shippingMinor }, breakdown);
}

/** The codes that take something off. */
export function appliedCodesOf({ breakdown }: CartPrice): string[] {
  return (breakdown?.discounts ?? []).flatMap(({ code }) => (code === null ? [] : [code]));
}

/** The contact details, or null if all of them are missing. */
export function contactOf({ email, phone, name }: CartContact): CartContact | null {
  return email === null && phone === null && name === null ? null : { email, phone, name };
}

/** Whose cart it is, and with which contact. */
type CartOwner = Pick<Cart, "customerId" | "isOfSession"> & CartContact;

/** Who comes with the id of a cart. */
export interface CartVisitor {
  readonly signedIn: Customer | null;
  /** True if the key stands in a public page. */
  readonly isPublic: boolean;
}

const guest: CartOwner = {
  customerId: null,
  isOfSession: false,
  email: null,
  phone: null,
  name: null,
};

/** Returns true if a customer's session has the cart, and a publishable key comes without that session. */
export function isOfOther(
  { customerId, isOfSession }: Pick<Cart, "customerId" | "isOfSession">,
  { signedIn, isPublic }: CartVisitor,
): boolean {
  return isPublic && isOfSession && signedIn?.id !== customerId;
}

/** The cart as the visitor reads it: that of another one's session has nothing of the customer's record. */
export function cartSeenBy(cart: Cart, visitor: CartVisitor): Cart {
  return isOfOther(cart, visitor) ? { ...cart, ...guest } : cart;
}

/**
 * Whose cart it is once the visitor changed it. A session takes it: what a guest typed stays, the contact of another
 * customer does not. Without one, the id of a cart gives a stranger nothing of the customer whose session had it: it is a
 * guest's again, without the contact, which may be that of the record.
 */
export function ownerIn(cart: CartOwner, visitor: CartVisitor): CartOwner {
  const { customerId, isOfSession, email, phone, name } = cart;
  const { signedIn } = visitor;
  const contact = { email, phone, name };
  if (signedIn === null) {
    return isOfOther(cart, visitor) ? guest : { ...contact, customerId, isOfSession };
  }
  if (customerId === signedIn.id) return { ...contact, customerId, isOfSession };
  const isTyped = customerId === null && (email !== null || phone !== null);
  const own = { ...contactOnRecord(signedIn), name: signedIn.name };
  return { ...(isTyped ? contact : own), customerId: signedIn.id, isOfSession: true };
}

export const cartNotFound = defineRefusal("cart_not_found", "not_found", "There is no such cart.");
export const cartCompleted = defineRefusal("cart_completed", "conflict", {
  title: "The cart has already been completed.",
  cause:
    "The cart became an order (`order_id`), so it can no longer change. Completing it again tells the page of the order (`status_url`).",
  remedy: "Continue with the order, or create a new cart.",
});
export const cartExpired = defineRefusal("cart_expired", "conflict", {
  title: "The cart has expired; create a new one.",
  cause: "The cart was not changed for 30 days, so it has expired.",
  remedy: "Create a new cart.",
});
export const cartEmpty = defineRefusal("cart_empty", "conflict", {
  title: "The cart has no line items.",
  cause: "A cart without line items cannot become an order.",
  remedy: "Add a line item first.",
});

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
