// What the world hears of customers, and what is left of it when a person is erased.

import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/store/store.ts";

import type { Customer } from "./customer.ts";
import { presentCustomer } from "./schema.ts";

/** Somebody new. */
export function customerCreated(customer: Customer): Announcement {
  return { name: "customer.created", subject: customer.id, data: presentCustomer(customer) };
}

/** The person changed; `orders_count` alone announces nothing. */
export function customerUpdated(customer: Customer): Announcement {
  return { name: "customer.updated", subject: customer.id, data: presentCustomer(customer) };
}

/** The person is gone, deleted or erased: whoever kept anything about them lets go of it. */
export function customerDeleted(id: Id<"customer">): Announcement {
  return { name: "customer.deleted", subject: id, data: { id, deleted: true } };
}

/** Every field of `Person` as the wire names it, emptied. */
const emptied: Readonly<Record<string, unknown>> = {
  email: null,
  phone: null,
  name: null,
  first_name: null,
  last_name: null,
  addresses: [],
  marketing_consent: false,
  tags: [],
  metadata: {},
};

/** A payload about a customer without the person: same fields, same order, nothing in them. */
export function withoutPerson(data: unknown): unknown {
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [
      field,
      Object.hasOwn(emptied, field) ? emptied[field] : value,
    ]),
  );
}
