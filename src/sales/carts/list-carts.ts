// Lookup: pages of carts, each with what its lines cost.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/store.ts";

import type { PricedCart } from "./cart.ts";
import { priceCart } from "./price-cart.ts";
import { type CartFilters, listCartRows } from "./queries.ts";

/** Carts, newest first. */
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
