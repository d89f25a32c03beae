// What the world hears of carts. A checkout that was left is told in one shape, whether it was left
// before it became an order or after.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/store.ts";

import { CART_CHANNEL, type PricedCart } from "./cart.ts";
import { cartTotal } from "./pricing.ts";
import { presentCartLine, printTotal } from "./schema.ts";

/** Whoever may be reminded; the id where they are a customer already. */
export interface CartBuyer {
  readonly id: Id<"customer"> | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/** `checkout.started`, `cart.abandoned` or `cart.recovered`: the cart as it is afterwards. */
export function cartMoved(
  name: string,
  { cart, lines }: PricedCart,
  customer: CartBuyer | null,
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

/** An order that was left unpaid, as its own noun sees it. */
export interface LeftOrder {
  readonly id: Id<"order">;
  /** As the wire has them. */
  readonly lineItems: readonly unknown[];
  readonly totalMinor: number;
  readonly currency: CurrencyCode;
  readonly channel: string;
  readonly customer: CartBuyer | null;
  readonly recoveryUrl: string;
}

/** `cart.abandoned` for an order that nobody paid; its timeline is the order's. */
export function orderLeft(order: LeftOrder): Announcement {
  return {
    name: "cart.abandoned",
    subject: order.id,
    data: {
      cart_id: null,
      order_id: order.id,
      source: "order",
      channel: order.channel,
      line_items: order.lineItems,
      total: printTotal(order.totalMinor, order.currency),
      currency: order.currency,
      customer: order.customer,
      recovery_url: order.recoveryUrl,
    },
  };
}
