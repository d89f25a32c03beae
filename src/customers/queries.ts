// All SQL of customers and their tags. Invariant: `customer_tags` has exactly the tags of the row.

import {
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNull,
  lt,
  type SQL,
  sql,
} from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  type GivenFilters,
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { matchingSubjects, searchTerms } from "#platform/database/search/search.ts";

import { type Customer, customerNotFound } from "./customer.ts";
import { customers, customerTags } from "./tables.ts";

/** The filters of a list: fields, a range of ids, and words to search for. */
export interface CustomerSearch extends Omit<CustomerFilters, "terms" | "limit"> {
  readonly q?: string | undefined;
}

/** The filters in the form that the statements take. */
interface CustomerFilters {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly tag?: string | undefined;
  /** The result of `searchTerms`. */
  readonly terms?: string | undefined;
  /** The lowest id, inclusive. */
  readonly from?: string | undefined;
  /** The highest id, exclusive. */
  readonly below?: string | undefined;
  readonly limit: number;
}

const customerById = prepared<{ id: string }>()((db, at) =>
  db.select().from(customers).where(eq(customers.id, at.id)),
);
const customerByEmail = prepared<{ email: string }>()((db, at) =>
  db.select().from(customers).where(eq(customers.email, at.email)),
);
const customerByPhone = prepared<{ phone: string }>()((db, at) =>
  db.select().from(customers).where(eq(customers.phone, at.phone)),
);

const customerToLock = preparedLock<{ id: string }>()((db, at) =>
  db.select().from(customers).where(eq(customers.id, at.id)),
);

/** Returns the customer with this id, erased ones included. */
export async function findCustomerById(
  db: Reader,
  id: Id<"customer">,
): Promise<Customer | undefined> {
  return (await customerById(db, { id }))[0];
}

/** Returns the customer with this id. Refuses with `customer_not_found`. */
export async function getCustomer(db: Reader, id: Id<"customer">): Promise<Customer> {
  const customer = await findCustomerById(db, id);
  if (customer === undefined) throw customerNotFound();
  return customer;
}

/** Locks the customer until the transaction ends. */
export async function lockCustomerRow(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  return (await customerToLock(tx, { id }))[0];
}

/** Returns the customer with this lower-cased email. */
export async function findCustomerByEmail(
  db: Reader,
  email: string,
): Promise<Customer | undefined> {
  return (await customerByEmail(db, { email }))[0];
}

/** Returns the customer with this phone. */
export async function findCustomerByPhone(
  db: Reader,
  phone: string,
): Promise<Customer | undefined> {
  return (await customerByPhone(db, { phone }))[0];
}

/** Newest first. The filter by tag reads `customer_tags` first, whose key is in the order of ids. */
const customerRows = preparedByFilters<CustomerFilters>()((db, given) =>
  db
    .select()
    .from(customers)
    .where(and(span(customers.id, given), ...conditions(db, given)))
    .orderBy(desc(customers.id))
    .limit(given.one("limit")),
);
const taggedRows = preparedByFilters<CustomerFilters>()((db, given) =>
  db
    .select(getTableColumns(customers))
    .from(customerTags)
    .innerJoin(customers, eq(customers.id, customerTags.customerId))
    .where(
      and(
        eq(customerTags.tag, given.one("tag")),
        span(customerTags.customerId, given),
        ...conditions(db, given),
      ),
    )
    .orderBy(desc(customerTags.customerId))
    .limit(given.one("limit")),
);

/** Returns a page of the customers that match every filter. */
export async function listCustomers(
  db: Reader,
  { q, below, ...search }: CustomerSearch,
  page: PageRequest,
): Promise<Page<Customer>> {
  const filters: CustomerFilters = {
    ...search,
    terms: q === undefined ? undefined : searchTerms("customers", q),
    below: smaller(below, page.after ?? undefined),
    limit: page.limit + 1,
  };
  const found = filters.tag === undefined ? customerRows(db, filters) : taggedRows(db, filters);
  return toPage(await found, page.limit);
}

function smaller(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

type IdColumn = typeof customers.id | typeof customerTags.customerId;

function span(id: IdColumn, given: GivenFilters<CustomerFilters>): SQL | undefined {
  return and(
    given.has("from") ? gte(id, given.one("from")) : undefined,
    given.has("below") ? lt(id, given.one("below")) : undefined,
  );
}

function conditions(
  db: Parameters<typeof matchingSubjects>[0],
  given: GivenFilters<CustomerFilters>,
): (SQL | undefined)[] {
  return [
    given.has("email") ? eq(customers.email, given.one("email")) : undefined,
    given.has("phone") ? eq(customers.phone, given.one("phone")) : undefined,
    given.has("terms")
      ? inArray(customers.id, matchingSubjects(db, given.one("terms")))
      : undefined,
  ];
}

const matchingIds = prepared<{ terms: string; limit: number }>()((db, at) =>
  db
    .select({ id: customers.id })
    .from(customers)
    .where(inArray(customers.id, matchingSubjects(db, at.terms)))
    .orderBy(desc(customers.id))
    .limit(at.limit),
);

/** Returns the ids of the customers that match, newest first. `terms` is the result of `searchTerms`. */
export async function findMatchingIds(
  db: Reader,
  terms: string,
  limit: number,
): Promise<Id<"customer">[]> {
  return (await matchingIds(db, { terms, limit })).map((row) => row.id);
}

const insertUnlessTaken = preparedWrite<Customer>()((tx, at) =>
  tx
    .insert(customers)
    .values({
      id: at.id,
      email: at.email,
      phone: at.phone,
      name: at.name,
      firstName: at.firstName,
      lastName: at.lastName,
      addresses: at.addresses,
      marketingConsent: at.marketingConsent,
      tags: at.tags,
      metadata: at.metadata,
      ordersCount: at.ordersCount,
      erasedAt: at.erasedAt,
      version: at.version,
      createdAt: at.createdAt,
      updatedAt: at.updatedAt,
    })
    .onConflictDoNothing()
    .returning({ id: customers.id }),
);
const insertTag = preparedInsert(customerTags);
const dropTags = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(customerTags).where(eq(customerTags.customerId, at.id)),
);

/** Inserts the customer with its tags. Returns false, and inserts nothing, if email or phone is taken. */
export async function insertCustomer(tx: Tx, customer: Customer): Promise<boolean> {
  const added = await insertUnlessTaken(tx, customer);
  if (added.length === 0) return false;
  await insertTags(tx, customer);
  return true;
}

async function insertTags(tx: Tx, { id, tags }: Customer): Promise<void> {
  for (const tag of tags) await insertTag(tx, { tag, customerId: id });
}

/** Omits columns that never change, and `orders_count`, which an order raises without a new version. */
const replaceVersion = preparedWrite<Omit<Customer, "ordersCount" | "createdAt">>()((tx, at) =>
  tx
    .update(customers)
    .set({
      email: sql`${at.email}`,
      phone: sql`${at.phone}`,
      name: sql`${at.name}`,
      firstName: sql`${at.firstName}`,
      lastName: sql`${at.lastName}`,
      addresses: sql`${sql.param(at.addresses, customers.addresses)}`,
      marketingConsent: sql`${sql.param(at.marketingConsent, customers.marketingConsent)}`,
      tags: sql`${sql.param(at.tags, customers.tags)}`,
      metadata: sql`${sql.param(at.metadata, customers.metadata)}`,
      erasedAt: sql`${at.erasedAt}`,
      version: sql`${at.version}`,
      updatedAt: sql`${at.updatedAt}`,
    })
    .where(sql`${customers.id} = ${at.id} AND ${customers.version} = ${at.version} - 1`)
    .returning(),
);

/** Writes the customer's next version. Returns undefined if another write changed the version first. */
export async function replaceCustomer(tx: Tx, customer: Customer): Promise<Customer | undefined> {
  return (await replaceVersion(tx, customer))[0];
}

/** Rewrites the customer's rows in `customer_tags`. */
export async function replaceTags(tx: Tx, customer: Customer): Promise<void> {
  await dropTags(tx, { id: customer.id });
  await insertTags(tx, customer);
}

const oneOrderMore = preparedWrite<{ id: string }>()((tx, at) =>
  tx
    .update(customers)
    .set({ ordersCount: sql`${customers.ordersCount} + 1` })
    .where(and(eq(customers.id, at.id), isNull(customers.erasedAt)))
    .returning(),
);

/** Adds one order. Returns the customer, or undefined if it does not exist or was erased. */
export async function raiseOrdersCount(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  return (await oneOrderMore(tx, { id }))[0];
}

const dropWithoutOrders = preparedWrite<{ id: string }>()((tx, at) =>
  tx
    .delete(customers)
    .where(and(eq(customers.id, at.id), eq(customers.ordersCount, 0)))
    .returning({ id: customers.id }),
);

/** Deletes the customer and its tags. Returns false, and deletes nothing, if it has orders. */
export async function dropCustomer(tx: Tx, id: Id<"customer">): Promise<boolean> {
  return (await dropWithoutOrders(tx, { id })).length === 1;
}
