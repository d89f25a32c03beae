// Story: a customer goes from the carts they filled, as a customer or as somebody with their address.

import { type Customer } from "#customers/customer.ts";
import { withoutCustomer } from "#customers/events.ts";
import type { Tx } from "#platform/database/database.ts";
import { redactAnswers, redactEvents, type RedactField } from "#platform/event-log/redaction.ts";

import type { Cart } from "./cart.ts";
import { findCartsOf } from "./lookups.ts";
import { saveCart } from "./save-cart.ts";

/** Afterwards no cart, no event about one and no stored answer of one says who the customer was. */
export async function redactCarts(tx: Tx, customer: Customer): Promise<void> {
  for (const { cart } of await findCartsOf(tx, customer)) await forget(tx, cart, customer);
}

async function forget(tx: Tx, cart: Cart, customer: Customer): Promise<void> {
  await saveCart(tx, cart, {
    email: null,
    phone: null,
    name: null,
    shippingAddress: null,
    metadata: {},
    recoveryUrl: null,
  });
  await redactEvents(tx, cart.id, withoutCartCustomer(customer));
  await redactAnswers(tx, cart.id, withoutCartCustomer(customer));
}

/** In a cart the customer has a name without an id beside it, and the link leads to them. */
function withoutCartCustomer({ id }: Customer): RedactField {
  const redact = withoutCustomer(id);
  return (field, value, holder) => {
    if (field === "customer" || field === "recovery_url") return null;
    return redact(field, value, holder);
  };
}
