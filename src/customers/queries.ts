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

/** What customers are looked for by: their fields, a span of ids, and words somebody typed. */
export interface CustomerSearch extends Omit<CustomerFilters, "terms" | "limit"> {
  readonly q?: string | undefined;
}

/** The same as the statements see it. */
interface CustomerFilters {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly tag?: string | undefined;
  /** As `searchTerms` made them. */
  readonly terms?: string | undefined;
  /** Ids from this one on. */
  readonly from?: string | undefined;
  /** Ids before this one. */
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

/** The customer with this id, erased ones too. */
export async function findCustomerById(
  db: Reader,
  id: Id<"customer">,
): Promise<Customer | undefined> {
  return (await customerById(db, { id }))[0];
}

/** The customer with this id. Refuses with `customer_not_found`. */
export async function getCustomer(db: Reader, id: Id<"customer">): Promise<Customer> {
  const customer = await findCustomerById(db, id);
  if (customer === undefined) throw customerNotFound();
  return customer;
}

/** The customer, whom nobody else changes until the transaction ends. */
export async function lockCustomerRow(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  return (await customerToLock(tx, { id }))[0];
}

/** The customer with this email, lower-cased. */
export async function findCustomerByEmail(
  db: Reader,
  email: string,
): Promise<Customer | undefined> {
  return (await customerByEmail(db, { email }))[0];
}

/** The customer with this phone. */
export async function findCustomerByPhone(
  db: Reader,
  phone: string,
): Promise<Customer | undefined> {
  return (await customerByPhone(db, { phone }))[0];
}

/** Newest first. By tag, the tag's own rows lead: they are in the order of ids already. */
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

/** One page of the customers that pass every filter. */
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

/** Ids of the customers that match, newest first; `terms` as `searchTerms` made them. */
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

/** Adds the customer; false, and nothing is added, where email or phone are taken. */
export async function insertCustomer(tx: Tx, customer: Customer): Promise<boolean> {
  const added = await insertUnlessTaken(tx, customer);
  if (added.length === 0) return false;
  await insertTags(tx, customer);
  return true;
}

async function insertTags(tx: Tx, { id, tags }: Customer): Promise<void> {
  for (const tag of tags) await insertTag(tx, { tag, customerId: id });
}

/** All but what never changes, and `orders_count`, which rises beside the versions. */
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

/** Writes the customer as its next version; undefined where it is not of the version before. */
export async function replaceCustomer(tx: Tx, customer: Customer): Promise<Customer | undefined> {
  return (await replaceVersion(tx, customer))[0];
}

/** Afterwards the customer is found by exactly its tags. */
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

/** Counts an order; answers the customer as it is then, or undefined for nobody or an erased one. */
export async function raiseOrdersCount(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  return (await oneOrderMore(tx, { id }))[0];
}

const dropWithoutOrders = preparedWrite<{ id: string }>()((tx, at) =>
  tx
    .delete(customers)
    .where(and(eq(customers.id, at.id), eq(customers.ordersCount, 0)))
    .returning({ id: customers.id }),
);

/** Removes the customer and its tags; false, and it stays, where it has orders. */
export async function dropCustomer(tx: Tx, id: Id<"customer">): Promise<boolean> {
  return (await dropWithoutOrders(tx, { id })).length === 1;
}
