// Events of carts. `cart.abandoned` has one shape for an abandoned checkout and for an unpaid
// order; the other half is `orderAbandoned`.

import Type, { type Static } from "typebox";

import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { added } from "#platform/http/contract/wire.ts";
import {
  amount,
  choice,
  currency,
  idOf,
  nullable,
  object,
  whole,
} from "#platform/http/contract/words.ts";
import { cartTotal } from "#pricing/quote/price-cart.ts";

import { CART_CHANNEL, type PricedCart } from "./cart.ts";
import { cartLineSchema, presentCartLine, printTotal } from "./schema.ts";

/** The contact to remind; `id` is null until the contact is a customer. */
export interface CartCustomer {
  readonly id: Id<"customer"> | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/** A cart after its change, with the contact to remind. */
interface MovedCart extends PricedCart {
  readonly customer: CartCustomer | null;
}

const textOrNull = nullable(Type.String());

const cartPayload = object({
  id: added(idOf("cart")),
  cart_id: idOf("cart"),
  order_id: nullable(idOf("order")),
  source: choice(["cart"]),
  channel: Type.String(),
  line_items: Type.Array(cartLineSchema),
  total: amount,
  total_minor: added(whole(0)),
  currency,
  customer: nullable(
    object({
      id: nullable(idOf("customer")),
      email: textOrNull,
      phone: textOrNull,
      name: textOrNull,
    }),
  ),
  recovery_url: textOrNull,
});

function presentMoved({ cart, lines, customer }: MovedCart): Static<typeof cartPayload> {
  const totalMinor = cartTotal(lines);
  return {
    id: cart.id,
    cart_id: cart.id,
    order_id: cart.orderId,
    source: "cart",
    channel: CART_CHANNEL,
    line_items: lines.map((line) => presentCartLine(line, cart.currency)),
    total: printTotal(totalMinor, cart.currency),
    total_minor: totalMinor,
    currency: cart.currency,
    customer,
    recovery_url: cart.recoveryUrl,
  };
}

const movedEvents = declareEvents(
  { schema: cartPayload, present: presentMoved },
  {
    "checkout.started": "The checkout of a cart was started.",
    "cart.abandoned": "A checkout or an unpaid order was not completed within one hour.",
    "cart.recovered": "An abandoned cart was taken up again.",
  },
);

export const cartEvents = movedEvents.schemas;

/**
 * Builds `checkout.started`, `cart.abandoned` or `cart.recovered` from the cart after the change.
 */
export function cartMoved(
  name: string,
  { cart, lines }: PricedCart,
  customer: CartCustomer | null,
): Announcement {
  return movedEvents.announce(name, cart.id, { cart, lines, customer });
}
