// Lookup: what a recovery link opens: the cart at current prices, the order made from it, or an
// unpaid order.

import { type Id, isId } from "#kernel/id.ts";
import { isChoosable } from "#pay-page/delivery/delivery.ts";
import { listAttempts } from "#payments/rows/lookups.ts";
import type { Payment } from "#payments/rows/payment.ts";
import type { Reader } from "#platform/database/database.ts";
import { type CartDifference, differencesOf, type QuotedLine } from "#pricing/quote/price-cart.ts";
import { findDestinations } from "#pricing/shipping/lookups.ts";
import { getCartFor } from "#sales/carts/lookups.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { priceOrderable } from "#sales/recovery/recover-cart.ts";
import { type Cart, type PricedCart, requireOpen } from "#sales/rows/cart.ts";
import type { WholeOrder } from "#sales/rows/order.ts";

export type Recovery =
  | {
      readonly kind: "cart";
      readonly cart: Cart;
      readonly lines: readonly QuotedLine[];
      readonly differences: readonly CartDifference[];
      /** Its price without what can no longer be sold. */
      readonly orderable: PricedCart;
      /** The countries that the shop delivers to; null where it is everywhere. */
      readonly destinations: readonly string[] | null;
    }
  | OrderToPay;

export interface LinkToOpen {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /**
   * True if the customer presses a button: the cart then comes to what completing charges, which judges the limits of
   * discounts per customer. A page that is only opened tells nothing of what a customer bought before.
   */
  readonly isPressed: boolean;
}

/** The cart or the order of a link. */
interface RecoveryToOpen extends Omit<LinkToOpen, "token"> {
  readonly subject: Id<"cart"> | Id<"order">;
  /** True if a stranger opens it: the cart of a customer's session then shows nothing of their record. */
  readonly isStrangers?: boolean;
}

/** Returns what there is to recover now. Refuses with `cart_expired`, and with `cart_not_found` for a deleted cart. */
export async function getRecovery(
  db: Reader,
  { subject, now, isPressed, isStrangers: isPublic = false }: RecoveryToOpen,
): Promise<Recovery> {
  if (isId("order", subject)) return getOrderToPay(db, subject);
  const visitor = { signedIn: null, isPublic };
  const { cart, lines } = await getCartFor(db, subject, { visitor, atMs: now });
  if (cart.orderId !== null) return getOrderToPay(db, cart.orderId);
  requireOpen(cart);
  const differences = differencesOf(cart.remembered, lines);
  const pricing = { atMs: now, judgesLimits: isPressed };
  const orderable = await priceOrderable(db, { cart, lines }, pricing);
  const destinations = isChoosable(orderable) ? await findDestinations(db) : null;
  return { kind: "cart", cart, lines, differences, orderable, destinations };
}

// Lookup: an order with everything that was done to pay it.

export interface OrderToPay {
  readonly kind: "order";
  readonly whole: WholeOrder;
  /** All attempts to pay the order, oldest first. */
  readonly payments: readonly Payment[];
}

/** Returns the order with its payments. Refuses with `order_not_found`. */
export async function getOrderToPay(db: Reader, id: Id<"order">): Promise<OrderToPay> {
  return { kind: "order", whole: await getOrder(db, id), payments: await listAttempts(db, id) };
}
