// SQL of orders beside the statements of every record, and of their lines and fulfillments. Guards of units are part of
// the statement that writes them.

import { and, asc, count, eq, gt, inArray, isNull, sql } from "drizzle-orm";

import { getMediaUrl } from "#catalog/media/lookups.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { isTrue } from "#platform/database/kit.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { rememberedVersion } from "#platform/database/remembered.ts";
import { preparedRedaction, versionedStatements } from "#platform/database/statements.ts";

import { isHeldByStrangers } from "./condition-queries.ts";
import {
  type Fulfillment,
  type Order,
  type OrderLine,
  orderNotFound,
  type WholeOrder,
} from "./order.ts";
import { fulfillments, orderLines as lines, orders } from "./tables.ts";

/** Statements of the order's own row. `get` and `lock` refuse with `order_not_found`. */
export const orderRows = versionedStatements(orders, orderNotFound);

const orderByExternalId = prepared<{ externalId: string }>({ by: "externalId" })((db, at) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.externalId, at.externalId), sql`external_id IS NOT NULL`)),
);
const openPublicOrders = prepared<{ customerId: string; isStrangers: boolean }>()((db, at) =>
  db
    .select({ count: count() })
    .from(orders)
    .where(
      and(
        eq(orders.customerId, at.customerId),
        sql`customer_id IS NOT NULL`,
        eq(orders.status, "open"),
        isTrue("is_from_public_key"),
        sql`${orders.isStrangers} = ${sql.param(at.isStrangers, orders.isStrangers)}`,
        isNull(orders.paidAt),
        eq(orders.paidMinor, 0),
      ),
    ),
);
const openUnits = sql<number>`sum(${lines.quantity} - ${lines.cancelledQuantity} - ${lines.fulfilledQuantity})`;
const unitsOfStrangers = preparedByFilters<{ variantId: readonly string[] }>()((db, given) =>
  db
    .select({ variantId: lines.variantId, units: openUnits.mapWith(Number) })
    .from(lines)
    .where(and(isHeldByStrangers, inArray(lines.variantId, given.each("variantId"))))
    .groupBy(lines.variantId),
);
const linesByOrders = preparedByFilters<{ orderId: readonly string[] }>({ by: "orderId" })(
  (db, given) =>
    db
      .select()
      .from(lines)
      .where(inArray(lines.orderId, given.each("orderId")))
      .orderBy(asc(lines.orderId), asc(lines.position)),
);
const fulfillmentsByOrders = preparedByFilters<{ orderIds: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(fulfillments)
    .where(inArray(fulfillments.orderId, given.each("orderIds")))
    .orderBy(asc(fulfillments.orderId), asc(fulfillments.id)),
);

const ordersByIds = preparedByFilters<{ ids: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(orders)
    .where(inArray(orders.id, given.each("ids")))
    .orderBy(asc(orders.id)),
);

/** The orders with these ids, oldest first. */
export async function ordersOfIds(db: Reader, ids: readonly string[]): Promise<Order[]> {
  return ids.length === 0 ? [] : ordersByIds(db, { ids });
}

/** Orders after the given id, oldest first; audits read all of them in pages. */
export const orderRowsAfter = prepared<{ id: string; rows: number }>()((db, at) =>
  db.select().from(orders).where(gt(orders.id, at.id)).orderBy(asc(orders.id)).limit(at.rows),
);

/** Open units of each variant in open orders, after the given variant, in the order of variants. */
export const openUnitsAfter = prepared<{ variantId: string; rows: number }>()((db, at) =>
  db
    .select({
      // A variant after another is never null.
      variantId: sql<Id<"variant">>`${lines.variantId}`,
      units: openUnits.mapWith(Number),
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
export const redactLines = preparedRedaction(lines, {
  orderId: lines.orderId,
  position: lines.position,
});
const dropLines = preparedWrite<{ orderId: string }>()((tx, at) =>
  tx.delete(lines).where(eq(lines.orderId, at.orderId)),
);

/** The id of the order with this external id, if there is one. */
export async function findOrderIdByExternalId(
  db: Reader,
  externalId: string,
): Promise<Id<"order"> | undefined> {
  return (await orderByExternalId(db, { externalId }))[0]?.id;
}

/** The lines of these orders, by order and position. */
export async function findLines(db: Reader, orderIds: readonly string[]): Promise<OrderLine[]> {
  if (orderIds.length === 0) return [];
  const [found, mediaUrl] = await Promise.all([
    linesByOrders(db, { orderId: orderIds }),
    getMediaUrl(db),
  ]);
  return found.map(({ shown, ...line }) => ({ ...line, shown: shown && { ...shown, mediaUrl } }));
}

/** The customer's open orders that publishable keys placed and of which nothing is paid: those of strangers, or the others. */
export async function countOpenPublicOrders(
  db: Reader,
  asked: { readonly customerId: Id<"customer">; readonly isStrangers: boolean },
): Promise<number> {
  return (await openPublicOrders(db, asked))[0]?.count ?? 0;
}

/** The units that open orders of strangers hold, by variant; none of a variant that is not there. */
export async function unitsHeldByStrangers(
  db: Reader,
  variantId: readonly Id<"variant">[],
): Promise<ReadonlyMap<string | null, number>> {
  const held = await unitsOfStrangers(db, { variantId });
  return new Map(held.map((row) => [row.variantId, row.units]));
}

/** The fulfillments of these orders, by order, oldest first. */
async function findFulfillments(db: Reader, orderIds: readonly string[]): Promise<Fulfillment[]> {
  return orderIds.length === 0 ? [] : fulfillmentsByOrders(db, { orderIds });
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

/** Reads the lines and fulfillments of the order. */
export async function wholeOrder(db: Reader, order: Order): Promise<WholeOrder> {
  return {
    order,
    lines: await findLines(db, [order.id]),
    fulfillments: await findFulfillments(db, [order.id]),
  };
}

/** The order with its lines and fulfillments. Refuses with `order_not_found`. */
export async function getWholeOrder(db: Reader, id: Id<"order">): Promise<WholeOrder> {
  return wholeOrder(db, await orderRows.get(db, id));
}

/** No version of an order. */
const NO_VERSION = 0;

/**
 * The same, read once for each version: every change of an order, its lines or fulfillments is its next one. What is shown of
 * a line of before is filled in without a version, so until then its order is not remembered.
 */
export const rememberedOrder = rememberedVersion({
  tables: [orders, lines, fulfillments],
  findVersion: orderRows.findVersion,
  find: getWholeOrder,
  versionOf: ({ order, lines: sold }) =>
    sold.some((line) => line.shown === null && line.variantId !== null)
      ? NO_VERSION
      : order.version,
});

/** Reads the lines and fulfillments of the orders. */
export async function findWholeOrders(db: Reader, found: readonly Order[]): Promise<WholeOrder[]> {
  const ids = found.map((order) => order.id);
  const sold = Map.groupBy(await findLines(db, ids), (line) => line.orderId);
  const sent = Map.groupBy(await findFulfillments(db, ids), (one) => one.orderId);
  return found.map((order) => ({
    order,
    lines: sold.get(order.id) ?? [],
    fulfillments: sent.get(order.id) ?? [],
  }));
}

const fulfillLine = preparedWrite<{ orderId: string; position: number; quantity: number }>()(
  (tx, at) =>
    tx
      .update(lines)
      .set({ fulfilledQuantity: sql`${lines.fulfilledQuantity} + ${at.quantity}` })
      .where(
        and(
          eq(lines.orderId, at.orderId),
          eq(lines.position, at.position),
          sql`${lines.cancelledQuantity} + ${lines.fulfilledQuantity} + ${at.quantity} <= ${lines.quantity}`,
        ),
      )
      .returning({ id: lines.id }),
);
/** Afterwards strangers hold nothing of the order. */
export const releaseLines = preparedWrite<{ orderId: string }>()((tx, at) =>
  tx.update(lines).set({ isStrangers: false }).where(eq(lines.orderId, at.orderId)),
);
const addCredit = preparedWrite<{
  orderId: string;
  position: number;
  cancelled: number;
  returned: number;
}>()((tx, at) =>
  tx
    .update(lines)
    .set({
      cancelledQuantity: sql`${lines.cancelledQuantity} + ${at.cancelled}`,
      returnedQuantity: sql`${lines.returnedQuantity} + ${at.returned}`,
    })
    .where(
      and(
        eq(lines.orderId, at.orderId),
        eq(lines.position, at.position),
        sql`${lines.cancelledQuantity} + ${at.cancelled} + ${lines.fulfilledQuantity} <= ${lines.quantity}`,
        sql`${lines.returnedQuantity} + ${at.returned} <= ${lines.fulfilledQuantity}`,
      ),
    )
    .returning({ id: lines.id }),
);

/** Adds cancelled and returned units to a line; false, and nothing changes, if fewer are open or shipped. */
export async function creditLine(
  tx: Tx,
  line: Pick<OrderLine, "orderId" | "position">,
  units: { readonly cancelled: number; readonly returned: number },
): Promise<boolean> {
  const { orderId, position } = line;
  return (await addCredit(tx, { orderId, position, ...units })).length === 1;
}

/** Adds shipped units to a line; false, and nothing changes, if fewer are open. */
export async function fulfillUnits(
  tx: Tx,
  line: Pick<OrderLine, "orderId" | "position">,
  quantity: number,
): Promise<boolean> {
  const { orderId, position } = line;
  return (await fulfillLine(tx, { orderId, position, quantity })).length === 1;
}

export const insertFulfillment = preparedInsert(fulfillments);
export const redactFulfillments = preparedRedaction(fulfillments, {
  orderId: fulfillments.orderId,
  id: fulfillments.id,
});
const changeFulfillment = preparedWrite<
  Pick<Fulfillment, "orderId" | "id" | "tracking" | "metadata">
>()((tx, at) =>
  tx
    .update(fulfillments)
    .set({
      tracking: sql`${sql.param(at.tracking, fulfillments.tracking)}`,
      metadata: sql`${sql.param(at.metadata, fulfillments.metadata)}`,
    })
    .where(and(eq(fulfillments.orderId, at.orderId), eq(fulfillments.id, at.id))),
);

/** Replaces the tracking and the metadata of a fulfillment. */
export async function writeTracking(
  tx: Tx,
  { orderId, id, tracking, metadata }: Fulfillment,
): Promise<void> {
  await changeFulfillment(tx, { orderId, id, tracking, metadata });
}
