// Story: whose contact it is that was proved. Invariant: the verified contacts of a customer belong to one
// person, so that no one reads what another ordered because they had named that contact first.

import { createCustomer } from "#customers/create-customer.ts";
import { type Customer, type CustomerChange, customerExists } from "#customers/customer.ts";
import { findCustomerByContact, lockKnownCustomer } from "#customers/lookups.ts";
import { updateCustomer } from "#customers/update-customer.ts";
import { Refusal } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { endUnprovedSessions } from "./end-sessions.ts";
import { asContact, type CodeContact } from "./session.ts";
import { isHeldForOther, releaseContact, saidBy, verifiedAtOf } from "./verified-contacts.ts";

/**
 * Returns the customer with the contact, which is verified then; a new one if no customer has it. Where a customer has it
 * who proved another contact and not this one, the contact leaves that customer for a new one: it was only claimed.
 */
export async function claimContact(tx: Tx, contact: CodeContact): Promise<Customer> {
  const found = await findCustomerByContact(tx, asContact(contact));
  if (found === undefined) return createVerified(tx, contact);
  const holder = await lockKnownCustomer(tx, found.id);
  if (holder?.[contact.kind] !== contact.value) throw new WriteConflict("The customer");
  if (verifiedAtOf(holder, contact.kind) !== null) return holder;
  if (!isHeldForOther(holder, contact.kind)) {
    await endUnprovedSessions(tx, holder, null);
    const change = { ...verified(tx, contact), ...saidBy(holder, contact) };
    return updateCustomer(tx, holder.id, { change, expected: null });
  }
  await releaseContact(tx, holder, contact.kind);
  return createVerified(tx, contact);
}

async function createVerified(tx: Tx, contact: CodeContact): Promise<Customer> {
  try {
    return await createCustomer(tx, { ...asContact(contact), ...verified(tx, contact) });
  } catch (error) {
    // Another story made a customer with it meanwhile.
    const isTaken = error instanceof Refusal && error.definition === customerExists;
    throw isTaken ? new WriteConflict("The contact") : error;
  }
}

function verified(tx: Tx, { kind }: CodeContact): CustomerChange {
  return { [`${kind}VerifiedAt` as const]: tx.now };
}
