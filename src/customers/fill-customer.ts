// Story: fill the empty fields of a customer with what an order says of them.

import { defined } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { type Contact, type Customer, hasDoubtfulAddresses, saysEmail } from "./customer.ts";
import { findCustomerByContact, lockKnownCustomer } from "./lookups.ts";
import { updateCustomer } from "./update-customer.ts";

export interface SaidContact extends Contact {
  readonly name: string | null;
}

/**
 * Afterwards an email, phone or name that the record lacked is the given one, unless another customer has it.
 * The phone and the name of an unverified customer are replaced, which verifies the customer unless their email was not
 * said, or the record has addresses, of which the order says nothing: a proof of the contact would show a stranger's.
 * Emits `customer.updated` if any has changed. Throws `WriteConflict` for a customer that was removed.
 */
export async function fillCustomer(
  tx: Tx,
  id: Id<"customer">,
  said: SaidContact,
): Promise<Customer> {
  const known = await lockKnownCustomer(tx, id);
  if (known === undefined) throw new WriteConflict("The customer");
  const { email, phone } = said;
  const change = defined({
    email: known.email === null ? await ifFree(tx, { email, phone: null }) : undefined,
    phone: takesPhone(known) ? await ifFree(tx, { email: null, phone }) : undefined,
    name: known.name === null || known.isUnverified ? (said.name ?? undefined) : undefined,
    isUnverified: isVerifiedBy(known, said) ? false : undefined,
  });
  return updateCustomer(tx, id, { change, expected: null });
}

function isVerifiedBy(known: Customer, { email, phone, name }: SaidContact): boolean {
  const isNamed = phone !== null || name !== null;
  return isNamed && saysEmail(known, email) && !hasDoubtfulAddresses(known);
}

/** A phone that only a stranger wrote is replaced; one that was proved is not. */
function takesPhone({ phone, isUnverified, phoneVerifiedAt }: Customer): boolean {
  return phone === null || (isUnverified && phoneVerifiedAt === null);
}

/** The email or the phone; undefined if it is missing, or another customer has it. */
async function ifFree(tx: Tx, contact: Contact): Promise<string | undefined> {
  const given = contact.email ?? contact.phone;
  if (given === null || (await findCustomerByContact(tx, contact)) !== undefined) return undefined;
  return given;
}
