// SQL of lists of orders. A page follows one index in its order. Times are not in the order of a page,
// so orders are read by the weeks of a time, each newest first.

import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  lt,
  lte,
  type SQL,
  sql,
  sum,
} from "drizzle-orm";

import type { Contact } from "#customers/customer.ts";
import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import { type TimeSpan, WEEK_MS } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { weekOf } from "#platform/database/kit.ts";
import { prepared, preparedByFilters } from "#platform/database/prepared.ts";
import { newestOfEach } from "#platform/database/statements.ts";
import { isShort, isToPack } from "#sales/rows/condition-queries.ts";
import type { Order } from "#sales/rows/order.ts";
import { orderRows } from "#sales/rows/queries.ts";
import { orders } from "#sales/rows/tables.ts";

import { asItIs, type FoundId, type Given, matching, newest, unindexed } from "./filter-queries.ts";
import { findOrderIdsByLine } from "./line-queries.ts";
import {
  listValues,
  type OrderFilters,
  type OrderListValues,
  type OrderSpan,
} from "./order-filters.ts";

type TimeColumn = "paid_at" | "updated_at";
const weekNames = { paid_at: "paidWeek", updated_at: "updatedWeek" } as const;

const listOrders = preparedByFilters<OrderListValues>()((db, given) =>
  db
    .select()
    .from(orders)
    .where(matching(given, asItIs))
    .orderBy(desc(orders.id))
    .limit(given.one("rows")),
);
const countedOrders = preparedByFilters<{
  from?: string | undefined;
  below?: string | undefined;
}>()((db, given) =>
  db
    .select({ total: count() })
    .from(orders)
    .where(
      and(
        given.has("from") ? gte(orders.id, given.one("from")) : undefined,
        given.has("below") ? lt(orders.id, given.one("below")) : undefined,
      ),
    ),
);

/** Counts all orders between the ids. */
export async function countOrderRows(db: Reader, { from, below }: OrderSpan): Promise<number> {
  return (await countedOrders(db, { from, below }))[0]?.total ?? 0;
}

const short = prepared<{ rows: number }>()((db, at) =>
  db.select({ id: orders.id }).from(orders).where(isShort).orderBy(asc(orders.id)).limit(at.rows),
);

/** Returns the ids of so many orders that were paid and owe something again, oldest first. */
export async function findShortOrders(db: Reader, rows: number): Promise<Id<"order">[]> {
  return (await short(db, { rows })).map(({ id }) => id);
}

const oldestToPack = prepared<{ rows: number }>()((db, at) =>
  db
    .select({ createdAt: orders.createdAt })
    .from(orders)
    .where(isToPack)
    .orderBy(asc(orders.id))
    .limit(at.rows),
);
/** The ids of a page, newest first. */
export const findOrderIds = preparedByFilters<OrderListValues>()((db, given) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(matching(given, asItIs))
    .orderBy(desc(orders.id))
    .limit(given.one("rows")),
);
const idsOfWeek = preparedByFilters<OrderListValues>()((db, given) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(and(ofWeek(given), matching(given, unindexed)))
    .orderBy(desc(orders.id))
    .limit(given.one("rows")),
);
/** One probe of the index for each customer, however many orders they have. */
const lastOfCustomers = preparedByFilters<OrderListValues & { customerIds: readonly string[] }>()((
  db,
  given,
) => {
  const customer = sql`wanted.column1`;
  const places = given.each("customerIds").map((place) => sql`(${place})`);
  const last = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(sql`${orders.customerId} = ${customer}`, matching(given, asItIs)))
    .orderBy(desc(orders.id))
    .limit(1);
  return db
    .select({
      customerId: sql<string>`${customer}`,
      orderId: sql<string | null>`(${last})`,
    })
    .from(sql`(VALUES ${sql.join(places, sql`, `)}) AS wanted`);
});

/** The sums of the next orders of a customer, by currency. */
export const totalsOfNext = prepared<{ customerId: string; after: string; rows: number }>()((
  db,
  at,
) => {
  const next = db
    .select({
      id: orders.id,
      currency: orders.currency,
      paidMinor: orders.paidMinor,
      refundedMinor: orders.refundedMinor,
    })
    .from(orders)
    .where(and(eq(orders.customerId, at.customerId), gt(orders.id, at.after)))
    .orderBy(asc(orders.id))
    .limit(at.rows)
    .as("next_orders");
  return db
    .select({
      currency: next.currency,
      ordersCount: count(),
      paidMinor: sum(next.paidMinor).mapWith(Number),
      refundedMinor: sum(next.refundedMinor).mapWith(Number),
      lastId: sql<string>`max(${next.id})`,
    })
    .from(next)
    .groupBy(next.currency);
});

function ofWeek(given: Given): SQL | undefined {
  return given.has("updatedWeek")
    ? eq(weekOf("updated_at"), given.one("updatedWeek"))
    : and(eq(weekOf("paid_at"), given.one("paidWeek")), notNull("paid_at"));
}

/** As the partial index says it. */
function notNull(column: TimeColumn): SQL {
  return sql.raw(`${column} IS NOT NULL`);
}

/** The first or the last week, of these, in which an order was paid or updated. */
const weekAtEnd = (column: TimeColumn, order: typeof asc) =>
  prepared<{ first: number; last: number }>()((db, at) => {
    const week = weekOf(column);
    return db
      .select({ week })
      .from(orders)
      .where(and(gte(week, at.first), lte(week, at.last), notNull(column)))
      .orderBy(order(week))
      .limit(1);
  });
const ends = {
  paid_at: { first: weekAtEnd("paid_at", asc), last: weekAtEnd("paid_at", desc) },
  updated_at: { first: weekAtEnd("updated_at", asc), last: weekAtEnd("updated_at", desc) },
};

/** Returns orders, newest first; one row more than the page has. */
export async function listOrderRows(
  db: Reader,
  filters: OrderFilters,
  page: PageRequest,
): Promise<Order[]> {
  const values = listValues(filters, page);
  const found = isOfFew(values) ? null : await idsByOtherIndex(db, values);
  const ids = found?.map(({ id }) => id);
  return ids === undefined ? firstOfList(db, values) : orderRows.findAll(db, ids);
}

function firstOfList(db: Reader, values: OrderListValues): Promise<Order[]> {
  const lists = ["paymentStatus", "fulfillmentStatus", "status", "paymentMethod"] as const;
  return newestOfEach(values, lists, (one) => listOrders(db, one));
}

/** Returns true if a filter leaves few orders: its index serves the page best. */
function isOfFew({ ids, number, externalId, customerId }: OrderListValues): boolean {
  return [ids, number, externalId, customerId].some((one) => one !== undefined);
}

/** The ids of a page by its product, SKU or time; null if it has none of these filters. */
async function idsByOtherIndex(
  db: Reader,
  values: OrderListValues,
): Promise<readonly FoundId[] | null> {
  const { productId, skus, updatedFrom, updatedBelow, paidFrom, paidBelow } = values;
  if (productId !== undefined || skus !== undefined) return findOrderIdsByLine(db, values);
  if (updatedFrom !== undefined || updatedBelow !== undefined) {
    const span = { from: updatedFrom, below: updatedBelow };
    return idsByWeek(db, values, { column: "updated_at", ...span });
  }
  if (paidFrom === undefined && paidBelow === undefined) return null;
  return idsByWeek(db, values, { column: "paid_at", from: paidFrom, below: paidBelow });
}

/** Once a page is full, a week is read only as far as its ids can still be on the page. */
async function idsByWeek(
  db: Reader,
  values: OrderListValues,
  { column, from = 0, below = Number.MAX_SAFE_INTEGER }: TimeSpan & { readonly column: TimeColumn },
): Promise<readonly FoundId[]> {
  const span = { first: weekAt(from), last: weekAt(below - 1) };
  const [first] = await ends[column].first(db, span);
  const [last] = await ends[column].last(db, span);
  if (first === undefined || last === undefined) return [];
  let found: readonly FoundId[] = [];
  for (let { week } = last; week >= first.week; week -= 1) {
    const least = found[values.rows - 1]?.id ?? values.from;
    const more = await idsOfWeek(db, { ...values, [weekNames[column]]: week, from: least });
    found = newest([...found, ...more], values.rows);
  }
  return found;
}

function weekAt(epochMs: number): number {
  return Math.floor(epochMs / WEEK_MS);
}

/** The last order of each customer that matches the filters; null for a customer without one. */
export async function findLastOrders(
  db: Reader,
  customerIds: readonly string[],
  values: OrderListValues,
): Promise<{ readonly customerId: string; readonly orderId: string | null }[]> {
  return customerIds.length === 0 ? [] : lastOfCustomers(db, { ...values, customerIds });
}

/** When the orders to pack were placed, oldest first, of at most so many. */
export function findOldestToPack(
  db: Reader,
  rows: number,
): Promise<{ readonly createdAt: number }[]> {
  return oldestToPack(db, { rows });
}

interface OfContact {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly after?: string | undefined;
  readonly rows: number;
}

/** Each of the two follows its own index. */
const ordersOf = preparedByFilters<OfContact>()((db, given) =>
  db
    .select()
    .from(orders)
    .where(
      and(
        given.has("email")
          ? and(eq(orders.contactEmail, given.one("email")), isNotNull(orders.contactEmail))
          : and(eq(orders.contactPhone, given.one("phone")), isNotNull(orders.contactPhone)),
        given.has("after") ? lt(orders.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(orders.id))
    .limit(given.one("rows")),
);

/** Orders that were placed with the email or the phone, newest first: one row more than the page holds. */
export async function findOrdersOfContact(
  db: Reader,
  { email, phone }: Contact,
  page: PageRequest,
): Promise<Order[]> {
  const values = { after: page.after ?? undefined, rows: page.limit + 1 };
  const byEmail = email === null ? [] : await ordersOf(db, { ...values, email });
  const byPhone = phone === null ? [] : await ordersOf(db, { ...values, phone });
  const found = new Map([...byEmail, ...byPhone].map((order) => [order.id, order]));
  return [...found.values()]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, values.rows);
}
