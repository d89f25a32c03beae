// SQL of orders beside the statements of every record, and of their lines and fulfillments.

import { and, asc, count, desc, eq, gt, gte, inArray, lt, type SQL, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  type GivenFilters,
  newestOfEach,
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { type Fulfillment, type Order, type OrderLine, orderNotFound } from "./order.ts";
import { fulfillments, orderLines as lines, orders } from "./tables.ts";

/** The filters of a list; an array matches any of its values. */
export interface OrderFilters {
  readonly status?: readonly string[] | undefined;
  readonly paymentStatus?: readonly string[] | undefined;
  readonly fulfillmentStatus?: readonly string[] | undefined;
  readonly customerId?: string | undefined;
  readonly channel?: string | undefined;
  readonly number?: number | undefined;
  readonly externalId?: string | undefined;
  /** The smallest id of the span, and the first id above it. */
  readonly from?: Id<"order"> | undefined;
  readonly below?: Id<"order"> | undefined;
}

/** Statements of the order's own row. `get` and `lock` refuse with `order_not_found`. */
export const orderRows = versionedStatements(orders, orderNotFound);

const orderByExternalId = prepared<{ externalId: string }>()((db, at) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.externalId, at.externalId), sql`external_id IS NOT NULL`)),
);
const linesByOrders = preparedByFilters<{ orderIds: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(lines)
    .where(inArray(lines.orderId, given.each("orderIds")))
    .orderBy(asc(lines.orderId), asc(lines.position)),
);
const fulfillmentsByOrders = preparedByFilters<{ orderIds: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(fulfillments)
    .where(inArray(fulfillments.orderId, given.each("orderIds")))
    .orderBy(asc(fulfillments.orderId), asc(fulfillments.id)),
);

/** The values of the statement that lists a page. */
export interface OrderListValues {
  status?: readonly string[] | undefined;
  paymentStatus?: readonly string[] | undefined;
  fulfillmentStatus?: readonly string[] | undefined;
  customerId?: string | undefined;
  channel?: string | undefined;
  number?: number | undefined;
  externalId?: string | undefined;
  from?: string | undefined;
  below?: string | undefined;
  after?: string | undefined;
  rows: number;
}

const listOrders = preparedByFilters<OrderListValues>()((db, given) =>
  db.select().from(orders).where(matching(given)).orderBy(desc(orders.id)).limit(given.one("rows")),
);

const listOrderIds = preparedByFilters<OrderListValues>()((db, given) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(matching(given))
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
    .where(and(sql`${orders.customerId} = ${customer}`, matching(given)))
    .orderBy(desc(orders.id))
    .limit(1);
  return db
    .select({
      customerId: sql<string>`${customer}`,
      orderId: sql<string | null>`(${last})`,
    })
    .from(sql`(VALUES ${sql.join(places, sql`, `)}) AS wanted`);
});

function matching(given: GivenFilters<OrderListValues>): SQL | undefined {
  return and(
    inStates(given),
    given.has("customerId") ? eq(orders.customerId, given.one("customerId")) : undefined,
    given.has("channel") ? eq(orders.channel, given.one("channel")) : undefined,
    given.has("number") ? eq(orders.number, given.one("number")) : undefined,
    given.has("externalId") ? eq(orders.externalId, given.one("externalId")) : undefined,
    ofSpan(given),
  );
}

function inStates(given: GivenFilters<OrderListValues>): SQL | undefined {
  const { status, paymentStatus, fulfillmentStatus } = orders;
  return and(
    given.has("status") ? inArray(status, given.each("status")) : undefined,
    given.has("paymentStatus") ? inArray(paymentStatus, given.each("paymentStatus")) : undefined,
    given.has("fulfillmentStatus")
      ? inArray(fulfillmentStatus, given.each("fulfillmentStatus"))
      : undefined,
  );
}

function ofSpan(given: GivenFilters<OrderListValues>): SQL | undefined {
  return and(
    given.has("from") ? gte(orders.id, given.one("from")) : undefined,
    given.has("below") ? lt(orders.id, given.one("below")) : undefined,
    given.has("after") ? lt(orders.id, given.one("after")) : undefined,
  );
}

/** Orders after the given id, oldest first; audits read all of them in pages. */
export const orderRowsAfter = prepared<{ id: string; rows: number }>()((db, at) =>
  db.select().from(orders).where(gt(orders.id, at.id)).orderBy(asc(orders.id)).limit(at.rows),
);

/** Open units of each variant in open orders, after the given variant, in the order of variants. */
export const openUnitsAfter = prepared<{ variantId: string; rows: number }>()((db, at) =>
  db
    .select({
      variantId: lines.variantId,
      units:
        sql<number>`sum(${lines.quantity} - ${lines.cancelledQuantity} - ${lines.fulfilledQuantity})`.mapWith(
          Number,
        ),
    })
    .from(lines)
    .innerJoin(orders, eq(orders.id, lines.orderId))
    .where(and(eq(orders.status, "open"), gt(lines.variantId, at.variantId)))
    .groupBy(lines.variantId)
    .orderBy(asc(lines.variantId))
    .limit(at.rows),
);

/** The number of orders of each customer after the given one, in the order of customers. */
export const orderCountsAfter = prepared<{ customerId: string; rows: number }>()((db, at) =>
  db
    .select({ customerId: orders.customerId, count: count() })
    .from(orders)
    .where(and(gt(orders.customerId, at.customerId), sql`customer_id IS NOT NULL`))
    .groupBy(orders.customerId)
    .orderBy(asc(orders.customerId))
    .limit(at.rows),
);

const addLine = preparedInsert(lines);
const dropLines = preparedWrite<{ orderId: string }>()((tx, at) =>
  tx.delete(lines).where(eq(lines.orderId, at.orderId)),
);
export async function findOrderIdByExternalId(
  db: Reader,
  externalId: string,
): Promise<Id<"order"> | undefined> {
  return (await orderByExternalId(db, { externalId }))[0]?.id;
}

/** The lines of these orders, by order and position. */
export async function findLines(db: Reader, orderIds: readonly string[]): Promise<OrderLine[]> {
  return orderIds.length === 0 ? [] : linesByOrders(db, { orderIds });
}

/** The fulfillments of these orders, by order, oldest first. */
export async function findFulfillments(
  db: Reader,
  orderIds: readonly string[],
): Promise<Fulfillment[]> {
  return orderIds.length === 0 ? [] : fulfillmentsByOrders(db, { orderIds });
}

/** Returns orders, newest first; one row more than the page has. */
export function listOrderRows(
  db: Reader,
  filters: OrderFilters,
  page: PageRequest,
): Promise<Order[]> {
  return newestOfEach(
    listValues(filters, page),
    ["paymentStatus", "fulfillmentStatus", "status"],
    (one) => listOrders(db, one),
  );
}

/** The statement's values for a page; one row more than the page has. */
export function listValues(filters: OrderFilters, page: PageRequest): OrderListValues {
  return { ...filters, after: page.after ?? undefined, rows: page.limit + 1 };
}

/** The ids of a page, newest first. */
export function findOrderIds(db: Reader, values: OrderListValues): Promise<{ id: string }[]> {
  return listOrderIds(db, values);
}

/** The last order of each customer that matches the filters; null for a customer without one. */
export async function findLastOrders(
  db: Reader,
  customerIds: readonly string[],
  values: OrderListValues,
): Promise<{ readonly customerId: string; readonly orderId: string | null }[]> {
  return customerIds.length === 0 ? [] : lastOfCustomers(db, { ...values, customerIds });
}

/** Inserts an order with its lines. */
export async function insertOrder(
  tx: Tx,
  order: Order,
  orderLines: readonly OrderLine[],
): Promise<void> {
  await orderRows.insert(tx, order);
  for (const line of orderLines) await addLine(tx, line);
}

/** Replaces all lines of the order. */
export async function replaceLines(
  tx: Tx,
  orderId: string,
  orderLines: readonly OrderLine[],
): Promise<void> {
  await dropLines(tx, { orderId });
  for (const line of orderLines) await addLine(tx, line);
}
