// SQL conditions of the filters of lists of orders.

import { and, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

import type { GivenFilters } from "#platform/database/prepared.ts";
import { isOpenOrder, isToPack } from "#sales/rows/condition-queries.ts";
import { orderLines as lines, orders } from "#sales/rows/tables.ts";

import type { OrderListValues } from "./order-filters.ts";

/** The filters that a statement is built for. */
export type Given = GivenFilters<OrderListValues>;

/** How a condition names a column: as it is, or so that no index serves it. */
type Naming = (column: PgColumn) => SQL;
export const asItIs: Naming = (column) => sql`${column}`;
/** Without statistics, SQLite could prefer the index of a status to the one that a statement is made for. */
export const unindexed: Naming = (column) => sql`(${column} || '')`;

/** The conditions of a list; the order of its orders is that of an index. */
export function matching(given: Given, naming: Naming): SQL | undefined {
  return and(
    // The index of orders to pack is smaller than that of any state.
    ofOrder(given, given.has("toPack") ? unindexed : naming),
    ofLines(given),
    ofIds(given, orders.id),
  );
}

/** The conditions on an order's own columns, its id aside. */
export function ofOrder(given: Given, named: Naming): SQL | undefined {
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
    given.has("open") ? isOpenOrder : undefined,
    given.has("notToPack") ? sql`NOT (${isToPack})` : undefined,
    ...states.map((name) => inArray(named(orders[name]), given.each(name))),
    given.has("paymentMethod")
      ? inArray(method(orders.paymentMethod), given.each("paymentMethod"))
      : undefined,
  );
}

/** Some line has the product, and some line one of the SKUs, as far as they are asked for. */
export function ofLines(given: Given): SQL | undefined {
  const ofProduct = () => eq(lines.productId, given.one("productId"));
  return and(
    given.has("productId") ? anyLine(ofProduct()) : undefined,
    given.has("skus") ? anyLine(ofSku(given)) : undefined,
  );
}

/** A line with one of the SKUs. */
export function ofSku(given: Given): SQL {
  return inArray(lines.sku, given.each("skus"));
}

/** Returns true if any line of the order matches. */
function anyLine(line: SQL): SQL {
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

/** One of some ids, from an id on, or below one. */
export function ofIds(given: Given, id: PgColumn): SQL | undefined {
  return and(
    given.has("ids") ? inArray(id, given.each("ids")) : undefined,
    given.has("from") ? gte(id, given.one("from")) : undefined,
    given.has("below") ? lt(id, given.one("below")) : undefined,
    given.has("after") ? lt(id, given.one("after")) : undefined,
  );
}

export interface FoundId {
  readonly id: string;
}

/** Each once, newest first, as many as the page has rows. */
export function newest(found: readonly FoundId[], rows: number): FoundId[] {
  const ids = [...new Set(found.map(({ id }) => id))].toSorted().toReversed();
  return ids.slice(0, rows).map((id) => ({ id }));
}
