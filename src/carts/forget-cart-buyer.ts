// Story: a person goes from the carts they filled, as a customer or as somebody with their address.

import { type Customer } from "#customers/customer.ts";
import { withoutPerson } from "#customers/events.ts";
import { redactAnswers, redactEvents, type RedactField } from "#platform/store/redaction.ts";
import type { Tx } from "#platform/store/store.ts";

import type { Cart } from "./cart.ts";
import { keepCart } from "./keep-cart.ts";
import { findCartsOf } from "./queries.ts";

const CARTS_AT_ONCE = 100;

/** Afterwards no cart, no event about one and no stored answer of one says who the person was. */
export async function forgetCartBuyer(tx: Tx, person: Customer): Promise<void> {
  const owner = { customerId: person.id, email: person.email, phone: person.phone };
  for (let after = ""; ;) {
    const carts = await findCartsOf(tx, owner, { after, rows: CARTS_AT_ONCE });
    for (const cart of carts) await forget(tx, cart, person);
    if (carts.length < CARTS_AT_ONCE) return;
    after = carts.at(-1)?.id ?? after;
  }
}

async function forget(tx: Tx, cart: Cart, person: Customer): Promise<void> {
  await keepCart(tx, cart, {
    email: null,
    phone: null,
    name: null,
    shippingAddress: null,
    metadata: {},
    recoveryUrl: null,
  });
  await redactEvents(tx, cart.id, withoutBuyer(person));
  await redactAnswers(tx, cart.id, withoutBuyer(person));
}

/** In a cart the customer has a name without an id beside it, and the link leads to them. */
function withoutBuyer({ id }: Customer): RedactField {
  const redact = withoutPerson(id);
  return (field, value, holder) => {
    if (field === "customer" || field === "recovery_url") return null;
    return redact(field, value, holder);
  };
}
