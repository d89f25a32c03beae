// SQL of lists of orders. A page follows one index in its order. Times are not in the order of a page,
// so orders are read by the weeks of a time, each newest first.

import { and, asc, desc, eq, gte, inArray, lt, lte, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

import type { PageRequest } from "#kernel/page.ts";
import type { TimeSpan } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { type GivenFilters, prepared, preparedByFilters } from "#platform/database/prepared.ts";
import { newestOfEach } from "#platform/database/statements.ts";
import type { Order } from "#sales/orders/order.ts";
import { orderRows } from "#sales/orders/queries.ts";
import {
  isOpen,
  isToPack,
  orderLines as lines,
  orders,
  WEEK_MS,
  weekOf,
} from "#sales/orders/tables.ts";

import { listValues, type OrderFilters, type OrderListValues } from "./order-filters.ts";

type TimeColumn = Parameters<typeof weekOf>[0];
const weekNames = { paid_at: "paidWeek", updated_at: "updatedWeek" } as const;

interface FoundId {
  readonly id: string;
}

type Given = GivenFilters<OrderListValues>;

/** How a condition names a column: as it is, or so that no index serves it. */
type Naming = (column: PgColumn) => SQL;
const asItIs: Naming = (column) => sql`${column}`;
/** Without statistics, SQLite could prefer the index of a status to the one that a statement is made for. */
const unindexed: Naming = (column) => sql`(${column} || '')`;

const listOrders = preparedByFilters<OrderListValues>()((db, given) =>
  db
    .select()
    .from(orders)
    .where(matching(given, asItIs))
    .orderBy(desc(orders.id))
    .limit(given.one("rows")),
);
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
/** By the index of a product's or a SKU's lines; an order may have several of them. */
export const findOrderIdsByLine = preparedByFilters<OrderListValues>()((db, given) =>
  db
    .selectDistinct({ id: lines.orderId })
    .from(lines)
    .innerJoin(orders, eq(orders.id, lines.orderId))
    .where(
      and(
        given.has("productId") ? ofProduct(given) : ofSku(given),
        given.has("productId") && given.has("sku") ? anyLine(ofSku(given)) : undefined,
        ofSpan(given, lines.orderId),
        ofOrder(given, unindexed),
      ),
    )
    .orderBy(desc(lines.orderId))
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

function matching(given: Given, naming: Naming): SQL | undefined {
  return and(
    // The index of orders to pack is smaller than that of any state.
    ofOrder(given, given.has("toPack") ? unindexed : naming),
    given.has("productId") ? anyLine(ofProduct(given)) : undefined,
    given.has("sku") ? anyLine(ofSku(given)) : undefined,
    ofSpan(given, orders.id),
  );
}

function ofOrder(given: Given, named: Naming): SQL | undefined {
  return and(
    ofChoices(given, named),
    given.has("customerId") ? eq(orders.customerId, given.one("customerId")) : undefined,
    given.has("channel") ? eq(named(orders.channel), given.one("channel")) : undefined,
    given.has("number") ? eq(orders.number, given.one("number")) : undefined,
    given.has("externalId") ? eq(orders.externalId, given.one("externalId")) : undefined,
    ofTimes(given),
  );
}

function ofChoices(given: Given, named: Naming): SQL | undefined {
  const states = (["status", "paymentStatus", "fulfillmentStatus"] as const).filter((name) =>
    given.has(name),
  );
  // A state that passes, such as open, leaves fewer orders than a way to pay.
  const method = states.length === 0 ? named : unindexed;
  return and(
    given.has("toPack") ? isToPack : undefined,
    given.has("open") ? isOpen : undefined,
    given.has("notToPack") ? sql`NOT (${isToPack})` : undefined,
    ...states.map((name) => inArray(named(orders[name]), given.each(name))),
    given.has("paymentMethod")
      ? inArray(method(orders.paymentMethod), given.each("paymentMethod"))
      : undefined,
  );
}

function ofProduct(given: Given): SQL {
  return eq(lines.productId, given.one("productId"));
}

function ofSku(given: Given): SQL | undefined {
  return and(eq(lines.sku, given.one("sku")), sql`sku IS NOT NULL`);
}

/** Whether any line of the order matches. */
function anyLine(line: SQL | undefined): SQL {
  return sql`EXISTS (SELECT 1 FROM ${lines} WHERE ${and(eq(lines.orderId, orders.id), line)})`;
}

function ofTimes(given: Given): SQL | undefined {
  return and(
    given.has("paidFrom") ? gte(orders.paidAt, given.one("paidFrom")) : undefined,
    given.has("paidBelow") ? lt(orders.paidAt, given.one("paidBelow")) : undefined,
    given.has("updatedFrom") ? gte(orders.updatedAt, given.one("updatedFrom")) : undefined,
    given.has("updatedBelow") ? lt(orders.updatedAt, given.one("updatedBelow")) : undefined,
  );
}

function ofWeek(given: Given): SQL | undefined {
  return given.has("updatedWeek")
    ? eq(weekOf("updated_at"), given.one("updatedWeek"))
    : and(eq(weekOf("paid_at"), given.one("paidWeek")), notNull("paid_at"));
}

/** As the partial index says it. */
function notNull(column: TimeColumn): SQL {
  return sql.raw(`${column} IS NOT NULL`);
}

function ofSpan(given: Given, id: PgColumn): SQL | undefined {
  return and(
    given.has("from") ? gte(id, given.one("from")) : undefined,
    given.has("below") ? lt(id, given.one("below")) : undefined,
    given.has("after") ? lt(id, given.one("after")) : undefined,
  );
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

/** Whether a filter leaves few orders: its index serves the page best. */
function isOfFew({ number, externalId, customerId }: OrderListValues): boolean {
  return number !== undefined || externalId !== undefined || customerId !== undefined;
}

/** The ids of a page by its product, SKU or time; null if it has none of these filters. */
async function idsByOtherIndex(db: Reader, values: OrderListValues): Promise<FoundId[] | null> {
  const { productId, sku, updatedFrom, updatedBelow, paidFrom, paidBelow } = values;
  if (productId !== undefined || sku !== undefined) return findOrderIdsByLine(db, values);
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
): Promise<FoundId[]> {
  const span = { first: weekAt(from), last: weekAt(below - 1) };
  const [first] = await ends[column].first(db, span);
  const [last] = await ends[column].last(db, span);
  if (first === undefined || last === undefined) return [];
  let found: FoundId[] = [];
  for (let { week } = last; week >= first.week; week -= 1) {
    const least = found[values.rows - 1]?.id ?? values.from;
    const more = await idsOfWeek(db, { ...values, [weekNames[column]]: week, from: least });
    found = newest([...found, ...more], values.rows);
  }
  return found;
}

/** Newest first. An order is in one week of a time only. */
function newest(found: readonly FoundId[], rows: number): FoundId[] {
  return found.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, rows);
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
