// Story: a customer comes back through the link they were sent. It opens the cart and changes
// nothing: the cart is recovered when they go on with it.

import { isId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { type CartDifference, differencesOf } from "#pricing/quote/price-cart.ts";
import { cartCompleted, type PricedCart, requireOpen } from "#sales/carts/cart.ts";
import { priceCart } from "#sales/carts/lookups.ts";
import { findCartRow } from "#sales/carts/queries.ts";

import { getLinkSubject } from "./get-link-subject.ts";
import { recoveryLinkExpired } from "./recovery.ts";

export interface RecoveredCart extends PricedCart {
  readonly differences: readonly CartDifference[];
}

/**
 * The cart at today's prices, and what is not as the customer saw it last. Refuses with
 * `recovery_link_invalid`, `recovery_link_expired`, `cart_expired`, and with `cart_completed` and the
 * order's id where it became an order, as the link of an unpaid order does.
 */
export async function recoverCart(tx: Tx, token: string): Promise<RecoveredCart> {
  const subject = await getLinkSubject(tx, { token, now: tx.now });
  if (isId("order", subject)) throw cartCompleted({ members: { order_id: subject } });
  const cart = await findCartRow(tx, subject);
  if (cart === undefined) throw recoveryLinkExpired();
  requireOpen(cart);
  const lines = await priceCart(tx, cart);
  return { cart, lines, differences: differencesOf(cart.remembered, lines) };
}
