// Customers: types, rules and refusals. A customer is identified by an email or a phone number; each
// belongs to at most one customer.

import { domainToUnicode } from "node:url";

import { type Change, defined } from "#kernel/change.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { newId } from "#kernel/id.ts";
import {
  defineMembers,
  defineRefusal,
  Faults,
  member,
  type Members,
  type Refusal,
} from "#kernel/refusal.ts";
import { readEmail, soughtBy } from "#kernel/text.ts";

import type { CustomerRow } from "./tables.ts";

export type Customer = CustomerRow;

/** The personal data of a customer. Erasing the customer removes all of it. */
export type CustomerDetails = Omit<
  Customer,
  "id" | "ordersCount" | "erasedAt" | "version" | "createdAt" | "updatedAt"
>;

/** The fields that a request gives of a new or known customer. */
export type CustomerChange = Change<CustomerDetails>;

/** The email and phone that identify a customer. */
export interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
}

/** No data: what a new customer starts from. */
export const emptyDetails: CustomerDetails = {
  email: null,
  phone: null,
  emailVerifiedAt: null,
  phoneVerifiedAt: null,
  name: null,
  firstName: null,
  lastName: null,
  addresses: [],
  marketingConsent: false,
  tags: [],
  metadata: {},
  isUnverified: false,
  taxId: null,
  taxExemption: "none",
};

type ContactOnRecord = Pick<Customer, "email" | "phone" | "emailVerifiedAt" | "phoneVerifiedAt">;

/** The part of their contact that the customer has proved. */
export function provedContact(customer: ContactOnRecord): Contact {
  const { email, phone, emailVerifiedAt, phoneVerifiedAt } = customer;
  return {
    email: emailVerifiedAt === null ? null : email,
    phone: phoneVerifiedAt === null ? null : phone,
  };
}

/**
 * Returns true if the customer has proved a contact. Without, who is signed in may only have named those of another
 * person.
 */
export function hasProved(customer: ContactOnRecord): boolean {
  const { email, phone } = provedContact(customer);
  return email !== null || phone !== null;
}

/**
 * Returns true if a stranger may have written the addresses: the merchant has not said whose record it is, and no code
 * has.
 */
export function hasDoubtfulAddresses(
  customer: ContactOnRecord & Pick<Customer, "addresses" | "isUnverified">,
): boolean {
  return customer.isUnverified && customer.addresses.length > 0 && !hasProved(customer);
}

/** The contact of an order that names none: what the customer has proved; else their email, or their phone. */
export function contactOnRecord(customer: ContactOnRecord): Contact {
  if (hasProved(customer)) return provedContact(customer);
  const { email, phone } = customer;
  return { email, phone: email === null ? phone : null };
}

/**
 * The email to which an order goes that was not placed with it; null of one that a stranger may have written beside the
 * phone of someone else: neither a code nor the merchant has said that it is theirs.
 */
export function trustedEmail({
  email,
  phone,
  emailVerifiedAt,
  isUnverified,
}: Pick<Customer, "email" | "phone" | "emailVerifiedAt" | "isUnverified">): string | null {
  return emailVerifiedAt !== null || !isUnverified || phone === null ? email : null;
}

/** Returns true if a statement about the customer who was found by this contact holds for their email, too. */
export function saysEmail({ email }: Pick<Customer, "email">, said: string | null): boolean {
  return email === null || (said !== null && emailsBy(said).includes(email));
}

/** The form of an email in small letters, so that it is found however it was typed. In practice mailboxes ignore case. */
export function foldEmail(email: string): string {
  return readEmail(email).toLowerCase();
}

/** The emails by which a customer is looked up; see `soughtBy`. */
export function emailsBy(sent: string): readonly string[] {
  return soughtBy(sent.toLowerCase(), foldEmail);
}

/**
 * Applies a change. A name that was never given itself follows the first and last name; a given name
 * stays until another is given. Another email or phone is not verified, unless the change says so.
 */
export function changedDetails(before: CustomerDetails, change: CustomerChange): CustomerDetails {
  const after = { ...before, ...defined(change) };
  const hasOwnName = change.name !== undefined || before.name !== fullName(before);
  const email = emailAfter(before, after);
  const { emailVerifiedAt = null, phoneVerifiedAt = null } = change;
  const [isSameEmail, isSamePhone] = [email === before.email, after.phone === before.phone];
  return {
    ...after,
    email,
    emailVerifiedAt: emailVerifiedAt ?? (isSameEmail ? before.emailVerifiedAt : null),
    phoneVerifiedAt: phoneVerifiedAt ?? (isSamePhone ? before.phoneVerifiedAt : null),
    name: hasOwnName ? after.name : fullName(after),
  };
}

/** One that is sent as it is stored stays so, also where it was stored before emails had a form. */
function emailAfter(before: Pick<Contact, "email">, { email }: Pick<Contact, "email">) {
  return email === null || email === before.email ? email : foldEmail(email);
}

/** Characters of a name on the wire. First and last name with a space can be one character longer. */
const NAME_LENGTH_MAX = 200;

function fullName(details: Pick<CustomerDetails, "firstName" | "lastName">): string | null {
  const parts = [details.firstName, details.lastName].filter((part) => part !== null);
  if (parts.length === 0) return null;
  return Array.from(parts.join(" ")).slice(0, NAME_LENGTH_MAX).join("");
}

/** Refuses with `validation_failed` at both pointers if there is neither an email nor a phone. */
export function requireReachable(details: Contact): void {
  if (details.email !== null || details.phone !== null) return;
  const faults = new Faults();
  const detail = "A customer needs an email or a phone.";
  faults.add("/email", "required", detail);
  faults.add("/phone", "required", detail);
  faults.refuseIfAny();
}

/** A new customer, not yet inserted. Refuses with `validation_failed` without an email or phone. */
export function newCustomer(draft: CustomerChange, now: number): Customer {
  const details = changedDetails(emptyDetails, draft);
  requireReachable(details);
  return {
    id: newId("customer", now),
    ...details,
    ordersCount: 0,
    erasedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** The text that full-text search indexes. A domain in letters beyond ASCII is found as people write it, too. */
export function searchText(details: CustomerDetails): string {
  const { name, firstName, lastName, email, phone } = details;
  const [, domain = ""] = email?.split("@") ?? [];
  const written = domainToUnicode(domain);
  return [name, firstName, lastName, email, written === domain ? null : written, phone]
    .filter((part) => part !== null)
    .join(" ");
}

export const customerNotFound = defineRefusal(
  "customer_not_found",
  "not_found",
  "There is no such customer.",
);
export const customerExists = defineRefusal("customer_exists", "conflict", {
  title: "Another customer has this email or phone.",
  cause:
    "Emails and phones are unique in a shop, and another customer (`existing_id`) has this `field`.",
  remedy: "Update the existing customer, or use another email or phone.",
  example: {
    detail: "Another customer has this email.",
    members: { existing_id: "cus_01jd2k8m3n4p5q6r7s8t9v0w1x", field: "email" },
  },
});
export const customerHasOrders = defineRefusal("customer_has_orders", "conflict", {
  title: "A customer with orders cannot be deleted. Erase the customer instead.",
  cause: "Orders refer to the customer, so the customer cannot be deleted.",
  remedy: "Erase the customer: the orders stay, without personal data.",
});
export const openOrders = defineRefusal("open_orders", "conflict", {
  title: "A customer with open orders cannot be erased.",
  cause:
    "The orders in `order_ids`, the newest ones first and at most 100, still need the customer's address and contact.",
  remedy: "Fulfill or cancel the orders first.",
  example: { members: { order_ids: ["ord_01jd2k8m3n4p5q6r7s8t9v0w1x"] } },
});
export const customerErased = defineRefusal("customer_erased", "conflict", {
  title: "The customer was erased and can no longer be changed.",
  cause: "The personal data of the customer was erased for good.",
  remedy: "Create a new customer.",
});

/** Returns `customer_exists` with the holder's id and the field that matched. */
export function contactTaken(holder: Customer, contact: Contact): Refusal {
  const emails = contact.email === null ? [] : emailsBy(contact.email);
  const isEmail = holder.email !== null && emails.includes(holder.email);
  const field = isEmail ? "email" : "phone";
  return customerExists({
    detail: `Another customer has this ${field}.`,
    members: { existing_id: holder.id, field },
  });
}

const customerFaults = defineFaults({
  unknown_customer: "There is no such customer.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof customerFaults> {}
}

const customerMembers = defineMembers({
  order_ids: member.texts("The customer's open orders, newest first, at most 100."),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof customerMembers> {}
}
