// Lookup: what a recovery link opens: the cart at current prices, the order made from it, or an
// unpaid order.

import { isId } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { type CartDifference, differencesOf, type QuotedLine } from "#pricing/quote/price-cart.ts";
import { type Cart, requireOpen } from "#sales/carts/cart.ts";
import { getCart } from "#sales/carts/lookups.ts";
import { getLinkSubject } from "#sales/recovery/recovery-links.ts";

import { getOrderToPay, type OrderToPay } from "./get-order-to-pay.ts";

export type Recovery =
  | {
      readonly kind: "cart";
      readonly cart: Cart;
      readonly lines: readonly QuotedLine[];
      readonly differences: readonly CartDifference[];
    }
  | OrderToPay;

/**
 * Returns what the link opens now. Refuses with `recovery_link_invalid`, `recovery_link_expired`,
 * `cart_expired`, and with `cart_not_found` for a deleted cart.
 */
export async function getRecovery(
  db: Reader,
  link: { readonly token: string; readonly now: number },
): Promise<Recovery> {
  const subject = await getLinkSubject(db, link);
  if (isId("order", subject)) return getOrderToPay(db, subject);
  const { cart, lines } = await getCart(db, subject);
  if (cart.orderId !== null) return getOrderToPay(db, cart.orderId);
  requireOpen(cart);
  return { kind: "cart", cart, lines, differences: differencesOf(cart.remembered, lines) };
}
