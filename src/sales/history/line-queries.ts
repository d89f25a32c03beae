// SQL of lists of orders by a product or a SKU. An order is found by the terms of its lines; those that are not
// written yet are found by their events, or by their lines where they are many. Either way its lines decide.

import { and, desc, eq, gt, inArray } from "drizzle-orm";

import type { Reader } from "#platform/database/database.ts";
import { preparedByFilters } from "#platform/database/prepared.ts";
import { events } from "#platform/database/tables.ts";
import { inSpan, type Stream } from "#platform/database/walk.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";
import { CONSUMER, lineEvents } from "#sales/rows/line-index-queries.ts";
import { orders } from "#sales/rows/tables.ts";

import { allOf, filtersLeft, streamOf } from "./filter-queries.ts";
import type { OrderListValues } from "./order-filters.ts";

/** Events behind up to which those that are not listed yet are found by their events: 2.4 ms a thousand. */
const TAIL_MAX = 2_000;

interface OfTail extends OrderListValues {
  readonly cursor: number;
}

/** The events come first: SQLite keeps to the order of a cross join. */
const notListedYet = preparedByFilters<OfTail>()((db, given) =>
  db
    .selectDistinct({ id: orders.id })
    .from(events)
    .crossJoin(orders)
    .where(
      and(
        inArray(events.name, lineEvents),
        gt(events.sequence, given.one("cursor")),
        eq(orders.id, events.subject),
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

/** The orders with a line of the product, and one of the SKUs if both are given, beside what else is. */
export function streamsByLine(db: Reader, values: OrderListValues): Promise<Stream[]> {
  const { productId, skus = [] } = values;
  return streamsOf(db, values, productId === undefined ? skus : [productId]);
}

/** The same with a line of any of these products, of which the filter names no other. */
export async function streamsOfProducts(
  db: Reader,
  values: OrderListValues,
  productIds: readonly string[],
): Promise<Stream[]> {
  return productIds.length === 0 ? [] : streamsOf(db, { ...values, productIds }, productIds);
}

/** Those that are not listed yet are read first: an order that becomes listed meanwhile is found twice, and not missed. */
async function streamsOf(
  db: Reader,
  values: OrderListValues,
  listed: readonly string[],
): Promise<Stream[]> {
  const cursor = await findLogCursor(db, CONSUMER);
  if ((await lastSequence(db)) - cursor > TAIL_MAX) return [streamOf(db, values)];
  const tail: Stream = {
    read: async ({ below: after, from, rows }) => {
      const found = await notListedYet(db, { ...values, cursor, after, from, rows });
      const ids = found.map(({ id }) => id);
      return { found: ids, last: ids.length === rows ? (ids.at(-1) ?? null) : null };
    },
  };
  return [tail, ...listed.map((term) => streamOf(db, { ...values, term }))];
}
