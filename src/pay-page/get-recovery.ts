// Lookup: what a recovery link opens: the cart at current prices, the order made from it, or an
// unpaid order.

import { type Id, isId } from "#kernel/id.ts";
import { listAttempts } from "#payments/payments/lookups.ts";
import type { Payment } from "#payments/payments/payment.ts";
import type { Reader } from "#platform/database/database.ts";
import { type CartDifference, differencesOf, type QuotedLine } from "#pricing/quote/price-cart.ts";
import { type Cart, requireOpen } from "#sales/carts/cart.ts";
import { getCart } from "#sales/carts/lookups.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import type { WholeOrder } from "#sales/orders/order.ts";
import { getLinkSubject } from "#sales/recovery/recovery-links.ts";

export type Recovery =
  | {
      readonly kind: "cart";
      readonly cart: Cart;
      readonly lines: readonly QuotedLine[];
      readonly differences: readonly CartDifference[];
    }
  | {
      readonly kind: "order";
      readonly whole: WholeOrder;
      /** All payment attempts of the order. */
      readonly payments: readonly Payment[];
    };

/**
 * Returns what the link opens now. Refuses with `recovery_link_invalid`, `recovery_link_expired`,
 * `cart_expired`, and with `cart_not_found` for a deleted cart.
 */
export async function getRecovery(
  db: Reader,
  link: { readonly token: string; readonly now: number },
): Promise<Recovery> {
  const subject = await getLinkSubject(db, link);
  if (isId("order", subject)) return ofOrder(db, subject);
  const { cart, lines } = await getCart(db, subject);
  if (cart.orderId !== null) return ofOrder(db, cart.orderId);
  requireOpen(cart);
  return { kind: "cart", cart, lines, differences: differencesOf(cart.remembered, lines) };
}

async function ofOrder(db: Reader, id: Id<"order">): Promise<Recovery> {
  return {
    kind: "order",
    whole: await getOrder(db, id),
    payments: await listAttempts(db, id),
  };
}
