// Which contacts of a customer were proved, and how one that was not leaves a customer.

import {
  type Customer,
  type CustomerChange,
  hasDoubtfulAddresses,
  saysEmail,
} from "#customers/customer.ts";
import { updateCustomer } from "#customers/update-customer.ts";
import type { Tx } from "#platform/database/database.ts";

import type { CodeContact } from "./session.ts";

type Kind = CodeContact["kind"];

/** When the contact of this kind was proved; null if it was not. */
export function verifiedAtOf(customer: Customer, kind: Kind): number | null {
  return kind === "email" ? customer.emailVerifiedAt : customer.phoneVerifiedAt;
}

/** Returns true if the customer proved another contact, and not this one. */
export function isHeldForOther(customer: Customer, kind: Kind): boolean {
  const other = kind === "email" ? "phone" : "email";
  return verifiedAtOf(customer, kind) === null && verifiedAtOf(customer, other) !== null;
}

/**
 * The change that the proof makes to the record: that of a phone says nothing of an email that a stranger may have
 * written beside it. The first one takes away the addresses that a stranger may have written, or parcels would go
 * there.
 */
export function saidBy(customer: Customer, { kind, value }: CodeContact): CustomerChange {
  return {
    ...(saysEmail(customer, kind === "email" ? value : null) && { isUnverified: false }),
    ...(hasDoubtfulAddresses(customer) && { addresses: [] }),
  };
}

/** Takes a contact that was not proved from a customer who has another one. Emits `customer.updated`. */
export async function releaseContact(tx: Tx, customer: Customer, kind: Kind): Promise<void> {
  const change = kind === "email" ? { email: null } : { phone: null };
  await updateCustomer(tx, customer.id, { change, expected: null });
}
