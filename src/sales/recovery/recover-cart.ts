// Story: a customer opens a cart through its recovery link. Opening changes nothing: the cart
// counts as recovered once its checkout starts again or it is completed.

import { isId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { type CartDifference, differencesOf } from "#pricing/quote/price-cart.ts";
import { cartCompleted, type PricedCart, requireOpen } from "#sales/carts/cart.ts";
import { cartAt } from "#sales/carts/lookups.ts";
import { cartRows } from "#sales/carts/queries.ts";
import { linkExpired } from "#sales/links/link-token.ts";

import { getLinkSubject } from "./recovery-links.ts";

export interface RecoveredCart extends PricedCart {
  readonly differences: readonly CartDifference[];
}

/**
 * Returns the cart at current prices and its differences from the lines at the last change. Refuses
 * with `recovery_link_invalid`, `recovery_link_expired` (also if the cart was deleted),
 * `cart_expired`, and with `cart_completed` and the order's id for a completed cart and for the
 * link of an unpaid order.
 */
export async function recoverCart(tx: Tx, token: string): Promise<RecoveredCart> {
  const subject = await getLinkSubject(tx, { token, now: tx.now });
  if (isId("order", subject)) throw cartCompleted({ members: { order_id: subject } });
  const cart = await cartRows.find(tx, subject);
  if (cart === undefined) throw linkExpired();
  requireOpen(cart);
  const priced = await cartAt(tx, cart, tx.now);
  return { ...priced, differences: differencesOf(cart.remembered, priced.lines) };
}
