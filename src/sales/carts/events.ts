// Events of carts. `cart.abandoned` has one shape for an abandoned checkout and for an unpaid
// order; the other half is `orderAbandoned`.

import Type from "typebox";

import { eventContact, type EventCustomer } from "#customers/events.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { added, from, inBothUnits, list, shape } from "#platform/http/contract/wire.ts";
import { choice, currency, idOf, nullable } from "#platform/http/contract/words.ts";
import { lineWire } from "#pricing/quote/cart-line-schema.ts";
import type { PricedCart } from "#sales/rows/cart.ts";

import { type CartView, discountOf, totalOf, viewLines, viewPriced } from "./schema.ts";

/** A cart after its change, with the contact to remind. */
interface CartNews extends CartView {
  readonly contact: EventCustomer | null;
}

const textOrNull = nullable(Type.String());

const movedEvents = declareEvents(
  shape<CartNews>()(
    {
      id: added(idOf("cart")),
      cart_id: from((cart: CartNews) => cart.id, idOf("cart")),
      order_id: nullable(idOf("order")),
      source: from(() => "cart" as const, choice(["cart"])),
      channel: Type.String(),
      line_items: from(viewLines, list(lineWire)),
      ...inBothUnits("discount_total", discountOf, added),
      ...inBothUnits("total", totalOf, added),
      currency,
      customer: eventContact((cart: CartNews) => cart.contact),
      recovery_url: textOrNull,
    },
    { name: "CartNews" },
  ),
  ["checkout.started", "cart.abandoned", "cart.recovered"],
);

export const cartEvents = movedEvents.payloads;

/**
 * Builds `checkout.started`, `cart.abandoned` or `cart.recovered` from the cart after the change.
 */
export function cartMoved(
  name: string,
  priced: PricedCart,
  contact: EventCustomer | null,
): Announcement {
  return movedEvents.announce(name, priced.cart.id, { ...viewPriced(priced), contact });
}
