// Story: a customer who is signed in proves another contact.

import { contactTaken, type Customer, hasProved } from "#customers/customer.ts";
import { findCustomerByContact, lockCustomer } from "#customers/lookups.ts";
import { updateCustomer } from "#customers/update-customer.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import { asContact, type CodeContact } from "./session.ts";
import { isHeldForOther, releaseContact, saidBy } from "./verified-contacts.ts";

/**
 * Afterwards the contact is that of the customer, and verified. It is taken from a customer who only claimed it; no two
 * customers become one. Refuses with `customer_exists`, which tells no more than what the caller proved, and with
 * `validation_failed` for a new contact where the proof would show addresses of which it says nothing.
 */
export async function proveContact(
  tx: Tx,
  id: Id<"customer">,
  contact: CodeContact,
): Promise<Customer> {
  const { kind, value } = contact;
  const holder = await findCustomerByContact(tx, asContact(contact));
  if (holder !== undefined && holder.id !== id) {
    if (!isHeldForOther(holder, kind)) throw contactTaken(holder, asContact(contact));
    await releaseContact(tx, holder, kind);
  }
  const before = await lockCustomer(tx, id);
  refuseStrangeProof(before, contact);
  const change =
    kind === "email"
      ? { email: value, emailVerifiedAt: tx.now }
      : { phone: value, phoneVerifiedAt: tx.now };
  return updateCustomer(tx, id, {
    change: { ...change, ...saidBy(before, contact) },
    expected: null,
  });
}

/** The addresses that the merchant wrote are for the owner of a contact of the record, whom another contact does not prove. */
function refuseStrangeProof(customer: Customer, { kind, value }: CodeContact): void {
  const { addresses, isUnverified } = customer;
  const shows = addresses.length > 0 && !isUnverified && !hasProved(customer);
  if (!shows || customer[kind] === value) return;
  const faults = new Faults();
  const detail = "Verify the email or phone that the customer has first, by a code.";
  faults.add(`/${kind}`, "unverified_contact", detail);
  faults.refuseIfAny();
}
