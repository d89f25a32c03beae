// Reads of carts with priced lines, for routes and other nouns.

import { findSellableVariants } from "#catalog/products/lookups.ts";
import type { Customer } from "#customers/customer.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { inBounds } from "#kernel/money.ts";
import { type Counted, countUpTo, type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { cartTotal } from "#pricing/quote/price-cart.ts";
import { variantsOf } from "#pricing/quote/price-order.ts";
import { type Cart, cartSeenBy, type CartVisitor, type PricedCart } from "#sales/rows/cart.ts";

import { type CartPricing, priceCart } from "./price-cart.ts";
import { type CartFilters, cartRows, findCartRowsOf, listCartRows } from "./queries.ts";

/**
 * Returns the cart as the visitor reads it, with what it comes to at an instant, epoch milliseconds. Refuses with
 * `cart_not_found`.
 */
export async function getCartFor(
  db: Reader,
  id: Id<"cart">,
  { visitor, atMs }: { readonly visitor: CartVisitor; readonly atMs: number },
): Promise<PricedCart> {
  return cartAt(db, cartSeenBy(await cartRows.get(db, id), visitor), atMs);
}

/** Returns the cart, or undefined if it was deleted. */
export const findCart = cartRows.find;

/** Locks the cart until the transaction ends. Refuses with `cart_not_found`. */
export const lockCart = cartRows.lock;

/** Returns a page of carts, newest first, with what they come to at an instant. */
export async function listCarts(
  db: Reader,
  { filters, atMs }: { readonly filters: CartFilters; readonly atMs: number },
  page: PageRequest,
): Promise<Page<PricedCart>> {
  const { rows, hasMore } = toPage(await listCartRows(db, filters, page), page.limit);
  const priced: PricedCart[] = [];
  for (const cart of rows) priced.push(await cartAt(db, cart, atMs));
  return { rows: priced, hasMore };
}

export interface LeftCarts extends Counted {
  readonly currency: CurrencyCode;
  /** The price of the goods in those of this currency when each cart last changed. */
  readonly worthMinor: number;
}

/** Counts the abandoned carts, up to a limit, and adds up those of a currency. */
export async function countLeftCarts(
  db: Reader,
  { limit, currency }: { readonly limit: number; readonly currency: CurrencyCode },
): Promise<LeftCarts> {
  const found = await listCartRows(db, { status: ["abandoned"] }, { limit, after: null });
  const worthMinor = found
    .slice(0, limit)
    .filter((cart) => cart.currency === currency)
    .reduce((sum, cart) => inBounds(sum + cartTotal(cart.remembered)), 0);
  return { ...countUpTo(found, limit), currency, worthMinor };
}

const CARTS_AT_ONCE = 100;

/**
 * Returns the carts that name the customer's id, email or phone, oldest first. Scans the whole
 * table: it runs only when a customer is exported or erased.
 */
export async function findCartsOf(db: Reader, customer: Customer): Promise<Cart[]> {
  const owner = { customerId: customer.id, email: customer.email, phone: customer.phone };
  const found: Cart[] = [];
  for (let after = ""; ;) {
    const carts = await findCartRowsOf(db, owner, { after, rows: CARTS_AT_ONCE });
    found.push(...carts);
    if (carts.length < CARTS_AT_ONCE) return found;
    after = carts.at(-1)?.id ?? after;
  }
}

/** Returns the cart with what it comes to at an instant, epoch milliseconds; a completed one to what was ordered. */
export async function cartAt(db: Reader, cart: Cart, atMs: number): Promise<PricedCart> {
  if (cart.status !== "completed") return openCartAt(db, cart, { atMs, judgesLimits: false });
  const { remembered, breakdown, shippingLabel, shippingMinor } = cart;
  const pricesIncludeTax = breakdown?.taxTerms.isIncluded ?? false;
  const asked = { options: [], rejected: [], problem: null, missing: [] };
  const price = { ...asked, breakdown, shippingLabel, shippingMinor, pricesIncludeTax };
  const entries = await findSellableVariants(db, variantsOf(remembered));
  const lines = remembered.map((line) => ({
    ...line,
    shown: entries.get(line.variantId)?.shown ?? null,
  }));
  return { cart, lines, price };
}

/** Returns a cart that is not completed with what it comes to, or would come to if it were completed. */
export async function openCartAt(
  db: Reader,
  cart: Cart,
  pricing: CartPricing,
): Promise<PricedCart> {
  return { cart, ...(await priceCart(db, cart, pricing)) };
}
