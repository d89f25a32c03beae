// Story: a customer's personal data is removed from their carts, including carts that name only
// their email or phone.

import { type Customer } from "#customers/customer.ts";
import { withoutCustomer } from "#customers/redact-fields.ts";
import { isObject } from "#kernel/assume.ts";
import type { Tx } from "#platform/database/database.ts";
import { redacted } from "#platform/database/record.ts";
import {
  redactAnswersOfEach,
  redactEvents,
  type RedactField,
  withoutPersonal,
} from "#platform/event-log/redaction.ts";
import { withoutOwnWords } from "#pricing/quote/breakdown.ts";

import { saveCart } from "./advance-carts.ts";
import type { Cart } from "./cart.ts";
import { findCartsOf } from "./lookups.ts";
import { carts } from "./tables.ts";

/** Removes the customer from their carts, from the carts' events and from the stored answers. */
export async function redactCarts(tx: Tx, customer: Customer): Promise<void> {
  const found = await findCartsOf(tx, customer);
  for (const cart of found) await redactCart(tx, cart, customer);
  const ids = found.map(({ id }) => id);
  await redactAnswersOfEach(tx, ids, withoutCartCustomer(customer, { keptId: null }));
}

async function redactCart(tx: Tx, cart: Cart, customer: Customer): Promise<void> {
  // The session that had it has ended, and its customer buys nothing more: the cart is a guest's.
  const isTheirs = cart.isOfSession && cart.customerId === customer.id;
  await saveCart(tx, cart, {
    ...redacted(carts, cart),
    ...(isTheirs && { customerId: null, isOfSession: false }),
    // The name of an option says nothing of the customer.
    ...(cart.shippingOptionId !== null && { shippingLabel: cart.shippingLabel }),
  });
  // By its id an event is found whose deliveries have responses that may repeat what it said.
  await redactEvents(tx, cart.id, withoutCartCustomer(customer, { keptId: customer.id }));
}

const ofCart = withoutPersonal(carts);

/** A cart may hold a contact without an id. A line item has a name, too. */
function withoutCartCustomer(
  { id }: Customer,
  { keptId }: { readonly keptId: Customer["id"] | null },
): RedactField {
  const redactById = withoutCustomer(id);
  return (field, value, holder) => {
    if (field === "customer") return withoutValues(value, keptId);
    const left = redactById(field, withoutOwnWords(field, value, holder), holder);
    return field === "name" ? left : ofCart(field, left, holder);
  };
}

/** The same members, null but for the id: in events the customer is an object even if it is unknown. */
function withoutValues(customer: unknown, keptId: Customer["id"] | null): unknown {
  if (!isObject(customer)) return null;
  const names = Object.keys(customer);
  return Object.fromEntries(names.map((name) => [name, name === "id" ? keptId : null]));
}
