// What the world hears of customers, and what is left of it when a person is taken out. Invariant:
// what is left has the shape its schema promises, so that a replayed answer stays a valid one.

import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/database.ts";
import type { RedactField } from "#platform/event-log/redaction.ts";

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

/** Fields that tell of a person wherever they stand: in a customer, a cart, an order, a payment. */
const emptied: Readonly<Record<string, unknown>> = {
  email: null,
  phone: null,
  first_name: null,
  last_name: null,
  addresses: [],
  notes: null,
  metadata: {},
};
/** Fields that do so in the customer alone; a product has a name and tags too. */
const emptiedOfCustomer: Readonly<Record<string, unknown>> = {
  name: null,
  marketing_consent: false,
  tags: [],
};
/** What stays of an address: where tax was due is for the books. */
const keptOfAddress: ReadonlySet<string> = new Set(["country", "region"]);

/** Takes this customer out of a payload or answer that is known to be about them. */
export function withoutCustomer(id: Id<"customer">): RedactField {
  return (field, value, holder) => {
    if (Object.hasOwn(emptied, field)) return emptied[field];
    if (field.endsWith("_address")) return withoutStreet(value);
    if (!Object.hasOwn(emptiedOfCustomer, field)) return value;
    return isRecordOf(holder, id) ? emptiedOfCustomer[field] : value;
  };
}

function withoutStreet(address: unknown): unknown {
  if (typeof address !== "object" || address === null) return null;
  const fields = Object.entries(address);
  return Object.fromEntries(
    fields.map(([field, value]) => [field, keptOfAddress.has(field) ? value : null]),
  );
}

function isRecordOf(holder: unknown, id: Id<"customer">): boolean {
  return typeof holder === "object" && holder !== null && "id" in holder && holder.id === id;
}
