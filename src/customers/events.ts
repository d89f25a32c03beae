// The events of customers, and the customer in events of other nouns.

import Type from "typebox";

import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/database.ts";
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

const contactShape = shape<EventCustomer>()(
  { ...identity, phone: textOrNull, name: textOrNull },
  { name: "EventContact" },
);

/** The same with phone and name. */
export function eventContact<Row>(find: (row: Row) => EventCustomer | null) {
  return from((row: Row) => find(row) ?? unknownCustomer, contactShape);
}

const laterContactShape = shape<EventCustomer>()(
  {
    ...identity,
    phone: added(textOrNull),
    name: added(textOrNull),
  },
  { name: "EventContact" },
);

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
