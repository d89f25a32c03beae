// Customers: types, rules and refusals. Somebody is known by an email or a phone number; each
// belongs to one customer only.

import type { Address } from "#kernel/address.ts";
import { type Change, defined } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { defineRefusal, Faults, type Refusal } from "#kernel/refusal.ts";

/** What is known of the person; all of it goes when the person is erased. */
export interface CustomerDetails {
  /** Lower-cased. */
  readonly email: string | null;
  /** E.164. */
  readonly phone: string | null;
  readonly name: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly addresses: readonly Address[];
  readonly marketingConsent: boolean;
  readonly tags: readonly string[];
  readonly metadata: Metadata;
}

export interface Customer extends CustomerDetails {
  readonly id: Id<"customer">;
  /** Orders ever placed; rises without a new version. */
  readonly ordersCount: number;
  readonly erasedAt: number | null;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a caller says of a customer, new or known. */
export type CustomerChange = Change<CustomerDetails>;

/** How somebody may be recognized. */
export interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
}

/** Nothing known: what a new customer starts from, and what is left of an erased one. */
export const emptyDetails: CustomerDetails = {
  email: null,
  phone: null,
  name: null,
  firstName: null,
  lastName: null,
  addresses: [],
  marketingConsent: false,
  tags: [],
  metadata: {},
};

/** Addresses are found whatever case they were typed in; mailboxes that differ by case are a myth. */
export function foldEmail(email: string): string {
  return email.toLowerCase();
}

/**
 * The person after the change. A name that was never given on its own follows first and last name;
 * one that was, stays until another is given.
 */
export function changedDetails(before: CustomerDetails, change: CustomerChange): CustomerDetails {
  const after = { ...before, ...defined(change) };
  const hasOwnName = change.name !== undefined || before.name !== fullName(before);
  return {
    ...after,
    email: after.email === null ? null : foldEmail(after.email),
    name: hasOwnName ? after.name : fullName(after),
  };
}

/** Characters of a name, as the wire has it; both parts at their longest make one more. */
const NAME_LENGTH_MAX = 200;

function fullName(details: Pick<CustomerDetails, "firstName" | "lastName">): string | null {
  const parts = [details.firstName, details.lastName].filter((part) => part !== null);
  if (parts.length === 0) return null;
  return Array.from(parts.join(" ")).slice(0, NAME_LENGTH_MAX).join("");
}

/** Refuses with `validation_failed` where neither an email nor a phone is left to reach somebody. */
export function requireReachable(details: Contact): void {
  if (details.email !== null || details.phone !== null) return;
  const faults = new Faults();
  faults.add("/email", "required", "A customer has an email or a phone.");
  faults.add("/phone", "required", "A customer has an email or a phone.");
  faults.refuseIfAny();
}

/** The words a customer is found by. */
export function searchText(details: CustomerDetails): string {
  const { name, firstName, lastName, email, phone } = details;
  return [name, firstName, lastName, email, phone].filter((part) => part !== null).join(" ");
}

export const customerNotFound = defineRefusal(
  "customer_not_found",
  "not_found",
  "There is no such customer.",
);
export const customerExists = defineRefusal(
  "customer_exists",
  "conflict",
  "Another customer has this email or phone.",
);
export const customerHasOrders = defineRefusal(
  "customer_has_orders",
  "conflict",
  "A customer with orders cannot be deleted; erase the person instead.",
);
export const customerErased = defineRefusal(
  "customer_erased",
  "conflict",
  "The person was erased; the record stays as it is.",
);

/** `customer_exists`, naming who it is and by what they were recognized. */
export function contactTaken(holder: Customer, contact: Contact): Refusal {
  const isEmail = holder.email !== null && holder.email === contact.email;
  const field = isEmail ? "email" : "phone";
  return customerExists({
    detail: `Another customer has this ${field}.`,
    members: { existing_id: holder.id, field },
  });
}
