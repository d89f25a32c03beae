// Lookup: every cart of a person, theirs as a customer or as somebody with their address.

import type { Customer } from "#customers/customer.ts";
import type { Reader } from "#platform/database/store.ts";

import type { PricedCart } from "./cart.ts";
import { priceCart } from "./price-cart.ts";
import { findCartRowsOf } from "./queries.ts";

const CARTS_AT_ONCE = 100;

/** The person's carts, oldest first. Reads all carts: asked when one is exported or erased. */
export async function findCartsOf(db: Reader, person: Customer): Promise<PricedCart[]> {
  const owner = { customerId: person.id, email: person.email, phone: person.phone };
  const found: PricedCart[] = [];
  for (let after = ""; ;) {
    const carts = await findCartRowsOf(db, owner, { after, rows: CARTS_AT_ONCE });
    for (const cart of carts) found.push({ cart, lines: await priceCart(db, cart) });
    if (carts.length < CARTS_AT_ONCE) return found;
    after = carts.at(-1)?.id ?? after;
  }
}
