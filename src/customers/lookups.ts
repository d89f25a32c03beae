// What other nouns and routes read of customers.

import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { searchTerms } from "#platform/database/search/search.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";

import { type Contact, type Customer, customerNotFound, foldEmail } from "./customer.ts";
import {
  findCustomerByEmail,
  findCustomerById,
  findCustomerByPhone,
  findMatchingIds,
  getCustomer,
  lockCustomerRow,
} from "./queries.ts";

/** The customer with this id, if there is one. */
export function findCustomer(db: Reader, id: Id<"customer">): Promise<Customer | undefined> {
  return findCustomerById(db, id);
}

/** The customer with this email, whatever its case; where there is none, the one with this phone. */
export async function findCustomerByContact(
  db: Reader,
  { email, phone }: Contact,
): Promise<Customer | undefined> {
  const known = email === null ? undefined : await findCustomerByEmail(db, foldEmail(email));
  if (known !== undefined || phone === null) return known;
  return findCustomerByPhone(db, phone);
}

/** Customers one search leads to; whoever means one person types more than this many share. */
const MATCHES_MAX = 200;

/** Ids of the customers with all the words in name, email or phone: the newest 200 at most. */
export function findCustomersMatching(db: Reader, query: string): Promise<Id<"customer">[]> {
  return findMatchingIds(db, searchTerms("customers", query), MATCHES_MAX);
}

/** The customer, whom nobody else changes meanwhile. Refuses with `customer_not_found`. */
export async function lockCustomer(tx: Tx, id: Id<"customer">): Promise<Customer> {
  const customer = await lockCustomerRow(tx, id);
  if (customer === undefined) throw customerNotFound();
  return customer;
}

/** The customer, whom nobody changes meanwhile; undefined for nobody and for somebody erased. */
export async function lockKnownCustomer(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  const customer = await lockCustomerRow(tx, id);
  return customer?.erasedAt === null ? customer : undefined;
}

const EVENTS_AT_ONCE = 500;

export interface CustomerRecord {
  readonly customer: Customer;
  /** All that was announced about the customer, oldest first. */
  readonly events: readonly LoggedEvent[];
}

/** The customer with its whole timeline. Refuses with `customer_not_found`. */
export async function getCustomerRecord(db: Reader, id: Id<"customer">): Promise<CustomerRecord> {
  const customer = await getCustomer(db, id);
  const events: LoggedEvent[] = [];
  let after = 0;
  for (;;) {
    const found = await eventsAfter(db, { after, limit: EVENTS_AT_ONCE, subject: id });
    events.push(...found);
    if (found.length < EVENTS_AT_ONCE) return { customer, events };
    after = found.at(-1)?.sequence ?? after;
  }
}
