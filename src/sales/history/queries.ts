// SQL of lists of orders: which index a page follows. Times are not in the order of a page, so orders are read by the weeks
// of a time, and states by their kinds, each newest first.

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
import { inSpan, type Stream, walk, type Walked, type WalkSpan } from "#platform/database/walk.ts";
import { isShort, kindOfOrder, PACK } from "#sales/rows/condition-queries.ts";
import type { Order } from "#sales/rows/order.ts";
import { orders } from "#sales/rows/tables.ts";

import { allOf, filtersLeft, streamOf } from "./filter-queries.ts";
import { streamsByLine } from "./line-queries.ts";
import type { OrderListValues, OrderSpan } from "./order-filters.ts";

type TimeColumn = "paid_at" | "updated_at";
const weekNames = { paid_at: "paidWeek", updated_at: "updatedWeek" } as const;

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

/** Each kind that an order has: one probe of the index for each. */
const kindsThere = prepared()((db) => {
  const next = sql`SELECT min(${kindOfOrder}) FROM ${orders}`;
  const there = sql`(WITH RECURSIVE kinds(kind) AS (${next} UNION ALL
    SELECT (${next} WHERE ${kindOfOrder} > kinds.kind) FROM kinds WHERE kinds.kind IS NOT NULL)
    SELECT kind FROM kinds WHERE kind IS NOT NULL) AS kinds`;
  return db.select({ kind: sql<string>`kind` }).from(there);
});

const oldestOfKind = prepared<{ kind: string; rows: number }>()((db, at) =>
  db
    .select({ id: orders.id, createdAt: orders.createdAt })
    .from(orders)
    .where(eq(kindOfOrder, at.kind))
    .orderBy(asc(orders.id))
    .limit(at.rows),
);
/** The few orders that the filters leave, newest first: one index has all that can be. */
const idsOfFew = preparedByFilters<OrderListValues>()((db, given) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        inSpan(given, orders.id),
        allOf(
          given,
          filtersLeft((name) => given.has(name)),
        ),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(given.one("rows")),
);
/** One probe of the index for each customer, however many orders they have. */
const lastOfCustomers = preparedByFilters<{
  customerIds: readonly string[];
  after?: string | undefined;
}>()((db, given) => {
  const customer = sql`wanted.column1`;
  const places = given.each("customerIds").map((place) => sql`(${place})`);
  const isAfter = given.has("after") ? lt(orders.id, given.one("after")) : undefined;
  const last = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(sql`${orders.customerId} = ${customer}`, isAfter))
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

/** The part of the list that a page is of, for a walk. */
export function spanOf({ after: below, from, rows }: OrderListValues): WalkSpan {
  return { below, from, rows };
}

/** The ids of a page, newest first. Refuses with `server_busy`. */
export async function findOrderIds(db: Reader, values: OrderListValues): Promise<Walked> {
  return walk(db, await streamsFor(db, values), spanOf(values));
}

/** The ids of orders of a customer, newest first, each read in one statement. */
export async function findOrdersOfCustomer(
  tx: Reader,
  values: OrderListValues & { readonly customerId: Id<"customer"> },
): Promise<Id<"order">[]> {
  return (await idsOfFew(tx, values)).map(({ id }) => id);
}

function isAny(...given: readonly unknown[]): boolean {
  return given.some((one) => one !== undefined);
}

/** The streams of the index that leaves the fewest orders. */
async function streamsFor(db: Reader, values: OrderListValues): Promise<Stream[]> {
  const { ids, number, externalId, customerId, productId, skus } = values;
  const { updatedFrom, updatedBelow, paidFrom, paidBelow } = values;
  if (isAny(ids, number, externalId)) return [streamOfFew(db, values)];
  if (customerId !== undefined) return [streamOf(db, values)];
  if (isAny(productId, skus)) return streamsByLine(db, values);
  if (isAny(updatedFrom, updatedBelow)) {
    return streamsOfWeeks(db, values, {
      column: "updated_at",
      from: updatedFrom,
      below: updatedBelow,
    });
  }
  if (isAny(paidFrom, paidBelow)) {
    return streamsOfWeeks(db, values, { column: "paid_at", from: paidFrom, below: paidBelow });
  }
  const { status, paymentStatus, fulfillmentStatus, toPack, notToPack } = values;
  if (!isAny(status, paymentStatus, fulfillmentStatus, toPack, notToPack)) {
    return [streamOf(db, values)];
  }
  const kinds = (await kindsThere(db, {})).filter(({ kind }) => passes(kind, values));
  return kinds.map(({ kind }) => streamOf(db, { ...values, kind }));
}

function hasWord(word: string | undefined, asked: readonly string[] | undefined): boolean {
  return asked === undefined || asked.includes(word ?? "");
}

/** Returns true if orders of the kind have the states that are asked for. */
function passes(kind: string, { toPack, notToPack, ...values }: OrderListValues): boolean {
  const [status, paymentStatus, fulfillmentStatus, packed] = kind.split(" ");
  return (
    hasWord(status, values.status) &&
    hasWord(paymentStatus, values.paymentStatus) &&
    hasWord(fulfillmentStatus, values.fulfillmentStatus) &&
    (packed === PACK ? notToPack : toPack) === undefined
  );
}

/** The orders of a filter that leaves few, such as a number. */
export function streamOfFew(db: Reader, values: OrderListValues): Stream {
  return {
    read: async ({ below: after, from, rows }) => {
      const found = await idsOfFew(db, { ...values, after, from, rows });
      return { found: found.map(({ id }) => id), last: null };
    },
  };
}

/** The orders of each of these customers, who begin with their last. */
export async function streamsOfCustomers(
  db: Reader,
  values: OrderListValues,
  customerIds: readonly string[],
): Promise<Stream[]> {
  if (customerIds.length === 0) return [];
  const last = await lastOfCustomers(db, { customerIds, after: values.after });
  const starts = new Map(last.map(({ customerId, orderId }) => [customerId, orderId]));
  return [...starts]
    .toSorted(([, one], [, other]) => ((one ?? "") < (other ?? "") ? 1 : -1))
    .flatMap(([customerId, start]) =>
      start === null ? [] : [streamOf(db, { ...values, customerId }, start)],
    );
}

/** The orders of each week of the span, the latest first. */
async function streamsOfWeeks(
  db: Reader,
  values: OrderListValues,
  { column, from = 0, below = Number.MAX_SAFE_INTEGER }: TimeSpan & { readonly column: TimeColumn },
): Promise<Stream[]> {
  const span = { first: weekAt(from), last: weekAt(below - 1) };
  const [first] = await ends[column].first(db, span);
  const [last] = await ends[column].last(db, span);
  if (first === undefined || last === undefined) return [];
  const weeks = Array.from({ length: last.week - first.week + 1 }, (_, back) => last.week - back);
  return weeks.map((week) => streamOf(db, { ...values, [weekNames[column]]: week }));
}

function weekAt(epochMs: number): number {
  return Math.floor(epochMs / WEEK_MS);
}

/** When the orders to pack were placed, oldest first, of at most so many. */
export async function findOldestToPack(
  db: Reader,
  rows: number,
): Promise<{ readonly createdAt: number }[]> {
  const found: { readonly id: string; readonly createdAt: number }[] = [];
  for (const { kind } of await kindsThere(db, {})) {
    if (kind.endsWith(` ${PACK}`)) found.push(...(await oldestOfKind(db, { kind, rows })));
  }
  return found.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, rows);
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
