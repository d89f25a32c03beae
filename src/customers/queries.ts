// SQL of customers beside the statements of every record, and of their tags. Invariant: `customer_tags` has exactly the tags of the row.

import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  type SQL,
  sql,
} from "drizzle-orm";

import { assume } from "#kernel/assume.ts";
import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  type GivenFilters,
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedInsertIfFree,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { matchingSubjects, newestMatches, windowOfMatches } from "#platform/database/search.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { type Customer, customerNotFound } from "./customer.ts";
import { customers, customerTags } from "./tables.ts";

/** The filters of a list: fields, a range of ids, and words. */
export interface CustomerFilters {
  /** Any of these. */
  readonly emails?: readonly string[] | undefined;
  readonly phone?: string | undefined;
  readonly tag?: string | undefined;
  /** The result of `searchTerms`. */
  readonly terms?: string | undefined;
  /** The lowest id, inclusive. */
  readonly from?: string | undefined;
  /** The highest id, exclusive. */
  readonly below?: string | undefined;
}

/** The filters in the form that the statements take. */
interface ListedCustomers extends CustomerFilters {
  readonly limit: number;
}

/**
 * Statements of the customer's row. `get` and `lock` refuse with `customer_not_found`. Lock it before `save`:
 * an order raises `orders_count` without a new version.
 */
export const customerRows = versionedStatements(customers, customerNotFound);

const customerByEmail = prepared<{ email: string }>()((db, at) =>
  db.select().from(customers).where(eq(customers.email, at.email)),
);
const customerByPhone = prepared<{ phone: string }>()((db, at) =>
  db.select().from(customers).where(eq(customers.phone, at.phone)),
);

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
const filteredRows = preparedByFilters<ListedCustomers>()((db, given) =>
  db
    .select()
    .from(customers)
    .where(and(span(customers.id, given), ...conditions(db, given)))
    .orderBy(desc(customers.id))
    .limit(given.one("limit")),
);
const taggedRows = preparedByFilters<ListedCustomers>()((db, given) =>
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
  filters: CustomerFilters,
  page: PageRequest,
): Promise<Page<Customer>> {
  const listed: ListedCustomers = {
    ...filters,
    below: smaller(filters.below, page.after ?? undefined),
    limit: page.limit + 1,
  };
  const found = filters.tag === undefined ? filteredRows(db, listed) : taggedRows(db, listed);
  return toPage(await found, page.limit);
}

function smaller(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

type IdColumn = typeof customers.id | typeof customerTags.customerId;

function span(id: IdColumn, given: GivenFilters<ListedCustomers>): SQL | undefined {
  return and(
    given.has("from") ? gte(id, given.one("from")) : undefined,
    given.has("below") ? lt(id, given.one("below")) : undefined,
  );
}

function conditions(
  db: Parameters<typeof matchingSubjects>[0],
  given: GivenFilters<ListedCustomers>,
): (SQL | undefined)[] {
  return [
    given.has("emails") ? inArray(customers.email, given.each("emails")) : undefined,
    given.has("phone") ? eq(customers.phone, given.one("phone")) : undefined,
    given.has("terms") ? inArray(customers.id, matches(db, given)) : undefined,
  ];
}

/** All matches where another filter leaves few of them, else those of a page. */
function matches(db: Parameters<typeof matchingSubjects>[0], given: GivenFilters<ListedCustomers>) {
  const terms = given.one("terms");
  const others = ["emails", "phone", "tag"] as const;
  if (others.some((name) => given.has(name))) return matchingSubjects(db, terms);
  const below = given.has("below") ? given.one("below") : null;
  return windowOfMatches(db, { kind: "customers", terms, below });
}

const matchingIds = prepared<{ terms: string; limit: number }>()((db, at) => newestMatches(db, at));

/** Returns the ids of the customers that match, newest first. `terms` is the result of `searchTerms`. */
export async function findMatchingIds(
  db: Reader,
  terms: string,
  limit: number,
): Promise<Id<"customer">[]> {
  // The cast holds: the subjects of customers are their ids.
  return (await matchingIds(db, { terms, limit })).map(({ subject }) =>
    assume<Id<"customer">>(subject),
  );
}

const insertIfFree = preparedInsertIfFree(customers);
const insertTag = preparedInsert(customerTags);
const dropTags = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(customerTags).where(eq(customerTags.customerId, at.id)),
);

/** Inserts the customer with its tags. Returns false, and inserts nothing, if email or phone is taken. */
export async function insertCustomer(tx: Tx, customer: Customer): Promise<boolean> {
  if (!(await insertIfFree(tx, customer))) return false;
  await insertTags(tx, customer);
  return true;
}

async function insertTags(tx: Tx, { id, tags }: Customer): Promise<void> {
  for (const tag of tags) await insertTag(tx, { tag, customerId: id });
}

/** Rewrites the customer's rows in `customer_tags`. */
export async function replaceTags(tx: Tx, customer: Customer): Promise<void> {
  await dropTags(tx, { id: customer.id });
  await insertTags(tx, customer);
}

const oneOrderMore = preparedWrite<{ id: string }>({ by: "id", lockPlace: "customer" })((tx, at) =>
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

const present = prepared()((db) =>
  db.select({ total: count() }).from(customers).where(isNull(customers.erasedAt)),
);

/** Counts the customers who were not erased. */
export async function countPresent(db: Reader): Promise<number> {
  return (await present(db, {}))[0]?.total ?? 0;
}

/** Customers behind one who were not erased, in the order of their ids, locked so that none is changed meanwhile. */
export const lockPresentAfter = preparedLock<{ after: string; rows: number }>()((db, at) =>
  db
    .select()
    .from(customers)
    .where(and(gt(customers.id, at.after), isNull(customers.erasedAt)))
    .orderBy(asc(customers.id))
    .limit(at.rows),
);

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
