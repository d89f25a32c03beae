// The events of customers, and the redaction of payloads that contain personal data. Invariant: a redacted
// payload still matches its schema, so that a replayed response stays valid.

import Type from "typebox";

import { isObject } from "#kernel/assume.ts";
import { type Id, zeroId } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/database.ts";
import type { RedactField } from "#platform/event-log/redaction.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { added, from, shape, wire } from "#platform/http/contract/wire.ts";
import { idOf, nullable } from "#platform/http/contract/words.ts";

import type { Customer } from "./customer.ts";
import { customerWire } from "./schema.ts";

const recordEvents = declareEvents(customerWire, ["customer.created", "customer.updated"]);

const deletionEvents = declareEvents(
  shape<Pick<Customer, "id">>()({
    id: idOf("customer"),
    deleted: from(() => true, Type.Boolean()),
  }),
  ["customer.deleted"],
);

/** The customer in the payload of an event; `id` is null for a contact that is not a customer. */
export interface EventCustomer {
  readonly id: Id<"customer"> | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

const unknownCustomer: EventCustomer = { id: null, email: null, phone: null, name: null };

const textOrNull = nullable(Type.String());
const identity = { id: nullable(idOf("customer")), email: textOrNull };
/** A component: generators name what is within one by its way, and `customer.id` would be a second `customer_id`. */
const identityWire = wire<EventCustomer>()("EventCustomer", identity);

/**
 * The member `customer` of an event: always an object, so that receivers read `customer.email` without a
 * test. Its members are null where they are unknown.
 */
export function eventCustomer<Row>(find: (row: Row) => EventCustomer | null) {
  return from((row: Row) => find(row) ?? unknownCustomer, identityWire);
}

const contactShape = shape<EventCustomer>()({ ...identity, phone: textOrNull, name: textOrNull });

/** The same with phone and name. */
export function eventContact<Row>(find: (row: Row) => EventCustomer | null) {
  return from((row: Row) => find(row) ?? unknownCustomer, contactShape);
}

const laterContactShape = shape<EventCustomer>()({
  ...identity,
  phone: added(textOrNull),
  name: added(textOrNull),
});

/** The same in events that had no phone and name at first. */
export function eventContactAdded<Row>(find: (row: Row) => EventCustomer | null) {
  return from((row: Row) => find(row) ?? unknownCustomer, laterContactShape);
}

export const customerEvents = { ...recordEvents.payloads, ...deletionEvents.payloads };

/** Builds `customer.created`. */
export function customerCreated(customer: Customer): Announcement {
  return recordEvents.announce("customer.created", customer.id, customer);
}

/** Builds `customer.updated`. */
export function customerUpdated(customer: Customer): Announcement {
  return recordEvents.announce("customer.updated", customer.id, customer);
}

/** Builds `customer.deleted`. */
export function customerDeleted(id: Id<"customer">): Announcement {
  return deletionEvents.announce("customer.deleted", id, { id });
}

/** Redacted values of the fields that are personal in every object: customer, cart, order, payment. */
const redactedEverywhere: Readonly<Record<string, unknown>> = {
  email: null,
  phone: null,
  first_name: null,
  last_name: null,
  addresses: [],
  notes: null,
  tax_id: null,
  instrument: null,
  metadata: {},
};
/** Redacted values of the fields that are personal in a customer only: a product has a name and tags too. */
const redactedInCustomer: Readonly<Record<string, unknown>> = {
  name: null,
  marketing_consent: false,
  tags: [],
  tax_exemption: "none",
  email_verified_at: null,
  phone_verified_at: null,
};
/** Fields of an address that are kept: the accounts need to know where tax was due. */
const keptOfAddress: ReadonlySet<string> = new Set(["country", "region"]);

/** Redacts the personal data of a customer in a payload or stored answer that refers to it. */
export function withoutCustomer(id: Id<"customer">): RedactField {
  return (field, value, holder) => {
    if (Object.hasOwn(redactedEverywhere, field)) return redactedEverywhere[field];
    if (field.endsWith("_address")) return withoutStreet(value);
    if (!Object.hasOwn(redactedInCustomer, field)) return value;
    return isRecordOf(holder, id) ? redactedInCustomer[field] : value;
  };
}

function withoutStreet(address: unknown): unknown {
  if (typeof address !== "object" || address === null) return null;
  const fields = Object.entries(address);
  return Object.fromEntries(
    fields.map(([field, value]) => [field, keptOfAddress.has(field) ? value : null]),
  );
}

/** Zeros stand for the id where a publishable key was answered. */
function isRecordOf(holder: unknown, id: Id<"customer">): boolean {
  const ids: readonly unknown[] = [id, zeroId("customer")];
  return isObject(holder) && ids.includes(holder["id"]);
}
