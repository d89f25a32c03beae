// Reads of customers for other folders and routes.

import type { Id } from "#kernel/id.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { termsFor } from "#platform/database/search/rebuild.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { readPhone } from "#platform/net/read-phone.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type Contact, type Customer, emailsBy } from "./customer.ts";
import {
  countPresent,
  type CustomerFilters,
  customerRows,
  findCustomerByEmail,
  findCustomerByPhone,
  findMatchingIds,
  listCustomers,
} from "./queries.ts";

/** Returns the customer with this id, erased ones included, or undefined. */
export const findCustomer = customerRows.find;

/** Returns the customer with this email as it was sent, or in its form, ignoring case, or else the one with this phone. */
export async function findCustomerByContact(
  db: Reader,
  { email, phone }: Contact,
): Promise<Customer | undefined> {
  for (const one of email === null ? [] : emailsBy(email)) {
    const known = await findCustomerByEmail(db, one);
    if (known !== undefined) return known;
  }
  return phone === null ? undefined : findCustomerByPhone(db, phone);
}

/** Customers that one search returns. A search for one customer has words that fewer than this share. */
const MATCHES_MAX = 200;

/** Returns the ids of the newest customers, at most 200, whose name, email and phone have all words. */
export async function findCustomersMatching(db: Reader, query: string): Promise<Id<"customer">[]> {
  return findMatchingIds(db, await termsOf(db, query), MATCHES_MAX);
}

/** The filters of a list, and what is searched for. */
export interface CustomerSearch extends Omit<CustomerFilters, "terms"> {
  readonly q?: string | undefined;
}

/** Returns a page of the customers that match every filter and the search. */
export async function searchCustomers(
  db: Reader,
  { q, ...filters }: CustomerSearch,
  page: PageRequest,
): Promise<Page<Customer>> {
  const terms = q === undefined ? undefined : await termsOf(db, q);
  return listCustomers(db, { ...filters, terms }, page);
}

/** Counts all customers but those who were erased. */
export const countCustomers = countPresent;

/** Finds words, and a phone as people write it in the country of the store. */
async function termsOf(db: Reader, query: string): Promise<string> {
  const phone = await readPhone(query, async () => (await getStore(db)).country);
  const texts = phone === query ? [query] : [query, phone];
  return termsFor(db, "customers", ...texts.map((q) => ({ q })));
}

/** Locks the customer and returns it. Refuses with `customer_not_found`. */
export const lockCustomer = customerRows.lock;

/** Locks the customer and returns it, or undefined if it does not exist or was erased. */
export async function lockKnownCustomer(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  const customer = await customerRows.findLocked(tx, id);
  return customer?.erasedAt === null ? customer : undefined;
}

const EVENTS_AT_ONCE = 500;

export interface CustomerRecord {
  readonly customer: Customer;
  /** All events of the customer, oldest first. */
  readonly events: readonly LoggedEvent[];
}

/** Returns the customer with all its events. Refuses with `customer_not_found`. */
export async function getCustomerRecord(db: Reader, id: Id<"customer">): Promise<CustomerRecord> {
  const customer = await customerRows.get(db, id);
  const events: LoggedEvent[] = [];
  let after = 0;
  for (;;) {
    const found = await eventsAfter(db, { after, limit: EVENTS_AT_ONCE, subject: id });
    events.push(...found);
    if (found.length < EVENTS_AT_ONCE) return { customer, events };
    after = found.at(-1)?.sequence ?? after;
  }
}
