// Lookup: one cart with what its lines cost.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

import { cartNotFound, type PricedCart } from "./cart.ts";
import { priceCart } from "./price-cart.ts";
import { findCartRow } from "./queries.ts";

/** The cart, which nobody else changes until a story that asks ends. Refuses with `cart_not_found`. */
export async function findCart(db: Reader, id: Id<"cart">): Promise<PricedCart> {
  const cart = await findCartRow(db, id);
  if (cart === undefined) throw cartNotFound();
  return { cart, lines: await priceCart(db, cart) };
}
