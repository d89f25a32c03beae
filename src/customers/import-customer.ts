// Story: create the customer of a file, or bring the one that the shop has to what the file says.

import { respectWithdrawal } from "#customers/consent/withdrawals.ts";
import type { Address } from "#kernel/address.ts";
import { isSameIdentifier } from "#kernel/text.ts";
import type { Tx } from "#platform/database/database.ts";

import { createCustomer } from "./create-customer.ts";
import {
  changedDetails,
  type Contact,
  contactTaken,
  type Customer,
  type CustomerChange,
  emailsBy,
  hasDoubtfulAddresses,
  saysEmail,
} from "./customer.ts";
import { findCustomerByContact, lockCustomer } from "./lookups.ts";
import { updateCustomer } from "./update-customer.ts";

export interface ImportedCustomer {
  /** A field that the file does not have is undefined, and keeps its value. */
  readonly change: CustomerChange;
  /** The treatment of a customer that the shop has. */
  readonly existing: "update" | "skip" | "refuse";
}

export interface CustomerImport {
  readonly outcome: "create" | "update" | "unchanged" | "skip";
  /** Null for one that was created. */
  readonly before: Customer | null;
  readonly customer: Customer;
}

/**
 * The customer is the one with the email, else the one with the phone. Nothing is removed: addresses and metadata that
 * the file does not have stay, and an address that the customer lacks comes first. Does nothing where no value differs.
 * Consent that was withdrawn stays so: the file may be older than the withdrawal.
 * Refuses with `customer_exists` one that exists and may not, and where email and phone are those of two customers, as
 * they are where the phone is that of a customer with another email; else as `createCustomer` and `updateCustomer` do.
 */
export async function importCustomer(
  tx: Tx,
  { change: given, existing }: ImportedCustomer,
): Promise<CustomerImport> {
  const contact = contactOf(given);
  const found = await findCustomerByContact(tx, contact);
  const change = await respectWithdrawal(tx, contact.email ?? found?.email, given);
  if (found === undefined) {
    return { outcome: "create", before: null, customer: await createCustomer(tx, change) };
  }
  if (existing === "refuse" || isOther(found, contact)) throw contactTaken(found, contact);
  if (existing === "skip") return { outcome: "skip", before: found, customer: found };
  const before = await lockCustomer(tx, found.id);
  const joined = joinedChange(before, change);
  if (Bun.deepEquals(before, { ...before, ...changedDetails(before, joined) }, true)) {
    return { outcome: "unchanged", before, customer: before };
  }
  const isUnverified = isVerifiedBy(before, change) ? change.isUnverified : undefined;
  const customer = await updateCustomer(tx, before.id, {
    change: { ...joined, isUnverified },
    expected: null,
  });
  return { outcome: "update", before, customer };
}

function contactOf({ email, phone }: CustomerChange): Contact {
  return { email: email || null, phone: phone ?? null };
}

/** Returns true if a customer who was found by the phone has another email: people of a family share phones. */
function isOther(found: Customer, { email }: Contact): boolean {
  return email !== null && found.email !== null && !emailsBy(email).includes(found.email);
}

/** The merchant's word for who it is verifies one whom a stranger named, but not the stranger's addresses. */
function isVerifiedBy(before: Customer, change: CustomerChange): boolean {
  const saysWhere = (change.addresses ?? []).length > 0;
  const saysWho = saysEmail(before, contactOf(change).email);
  return saysWho && (saysWhere || !hasDoubtfulAddresses(before));
}

function joinedChange(before: Customer, change: CustomerChange): CustomerChange {
  return {
    ...change,
    isUnverified: undefined,
    addresses: change.addresses && joinedAddresses(before.addresses, change.addresses),
    metadata: change.metadata && { ...before.metadata, ...change.metadata },
  };
}

/** The addresses that there are; those of the file that are new stand before them. */
function joinedAddresses(before: readonly Address[], given: readonly Address[]): Address[] {
  const isKnown = (one: Address) => before.some((known) => isSameAddress(known, one));
  return [...given.filter((one) => !isKnown(one)), ...before];
}

/** Returns true if two addresses are written alike, in capital or small letters. */
function isSameAddress(one: Address, other: Address): boolean {
  return (
    isSameIdentifier(one.name, other.name) &&
    isSameIdentifier(one.line1, other.line1) &&
    isSameIdentifier(one.line2, other.line2) &&
    isSameIdentifier(one.city, other.city) &&
    isSameIdentifier(one.region, other.region) &&
    isSameIdentifier(one.postalCode, other.postalCode) &&
    isSameIdentifier(one.country, other.country) &&
    isSameIdentifier(one.phone, other.phone)
  );
}
