// Story: whose contact it is that was proved. Invariant: the verified contacts of a customer belong to one
// person, so that no one reads what another ordered because they had named that contact first.

import { createCustomer } from "#customers/create-customer.ts";
import {
  contactTaken,
  type Customer,
  type CustomerChange,
  customerExists,
  hasDoubtfulAddresses,
  hasProved,
  saysEmail,
} from "#customers/customer.ts";
import { findCustomerByContact, lockCustomer, lockKnownCustomer } from "#customers/lookups.ts";
import { updateCustomer } from "#customers/update-customer.ts";
import type { Id } from "#kernel/id.ts";
import { Faults, Refusal } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { asContact, type CodeContact } from "./code.ts";
import { endUnprovedSessions } from "./end-sessions.ts";

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

// Which contacts of a customer were proved, and how one that was not leaves a customer.

type Kind = CodeContact["kind"];

/** When the contact of this kind was proved; null if it was not. */
export function verifiedAtOf(customer: Customer, kind: Kind): number | null {
  return kind === "email" ? customer.emailVerifiedAt : customer.phoneVerifiedAt;
}

/** Returns true if the customer proved another contact, and not this one. */
function isHeldForOther(customer: Customer, kind: Kind): boolean {
  const other = kind === "email" ? "phone" : "email";
  return verifiedAtOf(customer, kind) === null && verifiedAtOf(customer, other) !== null;
}

/**
 * The change that the proof makes to the record: that of a phone says nothing of an email that a stranger may have
 * written beside it. The first one takes away the addresses that a stranger may have written, or parcels would go
 * there.
 */
function saidBy(customer: Customer, { kind, value }: CodeContact): CustomerChange {
  return {
    ...(saysEmail(customer, kind === "email" ? value : null) && { isUnverified: false }),
    ...(hasDoubtfulAddresses(customer) && { addresses: [] }),
  };
}

/** Takes a contact that was not proved from a customer who has another one. Emits `customer.updated`. */
async function releaseContact(tx: Tx, customer: Customer, kind: Kind): Promise<void> {
  const change = kind === "email" ? { email: null } : { phone: null };
  await updateCustomer(tx, customer.id, { change, expected: null });
}
