// Events of carts. `cart.abandoned` has one shape for an abandoned checkout and for an unpaid
// order; the other half is `orderAbandoned`.

import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/database.ts";
import { cartTotal } from "#pricing/quote/price-cart.ts";

import { CART_CHANNEL, type PricedCart } from "./cart.ts";
import { presentCartLine, printTotal } from "./schema.ts";

/** The contact to remind; `id` is null until the contact is a customer. */
export interface CartCustomer {
  readonly id: Id<"customer"> | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/**
 * Builds `checkout.started`, `cart.abandoned` or `cart.recovered` from the cart after the change.
 */
export function cartMoved(
  name: string,
  { cart, lines }: PricedCart,
  customer: CartCustomer | null,
): Announcement {
  return {
    name,
    subject: cart.id,
    data: {
      cart_id: cart.id,
      order_id: cart.orderId,
      source: "cart",
      channel: CART_CHANNEL,
      line_items: lines.map((line) => presentCartLine(line, cart.currency)),
      total: printTotal(cartTotal(lines), cart.currency),
      currency: cart.currency,
      customer,
      recovery_url: cart.recoveryUrl,
    },
  };
}
