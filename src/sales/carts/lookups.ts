// Reads of carts with priced lines, for routes and other nouns.

import { findSellableUnits } from "#catalog/inventory/lookups.ts";
import { findSellableVariants } from "#catalog/products/lookups.ts";
import type { Customer } from "#customers/customer.ts";
import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { type QuotedLine, quoteLines } from "#pricing/quote/price-cart.ts";

import type { Cart, PricedCart } from "./cart.ts";
import { type CartFilters, cartRows, findCartRowsOf, listCartRows } from "./queries.ts";

/** Returns the cart. Refuses with `cart_not_found`. */
export async function getCart(db: Reader, id: Id<"cart">): Promise<PricedCart> {
  const cart = await cartRows.get(db, id);
  return { cart, lines: await priceCart(db, cart) };
}

/** Locks the cart until the transaction ends. Refuses with `cart_not_found`. */
export const lockCart = cartRows.lock;

/** Returns a page of carts, newest first. */
export async function listCarts(
  db: Reader,
  filters: CartFilters,
  page: PageRequest,
): Promise<Page<PricedCart>> {
  const { rows, hasMore } = toPage(await listCartRows(db, filters, page), page.limit);
  const priced: PricedCart[] = [];
  for (const cart of rows) priced.push({ cart, lines: await priceCart(db, cart) });
  return { rows: priced, hasMore };
}

const CARTS_AT_ONCE = 100;

/**
 * Returns the carts that name the customer's id, email or phone, oldest first. Scans the whole
 * table: it runs only when a customer is exported or erased.
 */
export async function findCartsOf(db: Reader, customer: Customer): Promise<PricedCart[]> {
  const owner = { customerId: customer.id, email: customer.email, phone: customer.phone };
  const found: PricedCart[] = [];
  for (let after = ""; ;) {
    const carts = await findCartRowsOf(db, owner, { after, rows: CARTS_AT_ONCE });
    for (const cart of carts) found.push({ cart, lines: await priceCart(db, cart) });
    if (carts.length < CARTS_AT_ONCE) return found;
    after = carts.at(-1)?.id ?? after;
  }
}

/**
 * Prices the cart's lines as of now; the lines of a completed cart are returned as they were
 * ordered.
 */
export async function priceCart(
  db: Reader,
  cart: Pick<Cart, "lines" | "currency"> & Partial<Pick<Cart, "status" | "remembered">>,
): Promise<readonly QuotedLine[]> {
  if (cart.status === "completed" && cart.remembered !== undefined) return cart.remembered;
  const ids = [...new Set(cart.lines.map((line) => line.variantId))];
  return quoteLines(cart.lines, cart.currency, {
    entries: await findSellableVariants(db, ids),
    sellable: await findSellableUnits(db, ids),
  });
}
