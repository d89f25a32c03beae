// What the world hears of carts. A checkout that was left is told in one shape, whether it was left
// before it became an order or after.

import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/database.ts";
import { cartTotal } from "#pricing/quote/price-cart.ts";

import { CART_CHANNEL, type PricedCart } from "./cart.ts";
import { presentCartLine, printTotal } from "./schema.ts";

/** Whoever may be reminded; the id where they are a customer already. */
export interface CartCustomer {
  readonly id: Id<"customer"> | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/** `checkout.started`, `cart.abandoned` or `cart.recovered`: the cart as it is afterwards. */
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
