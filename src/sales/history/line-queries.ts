// SQL of lists of orders by a product or a SKU. An order is found by the terms of its lines; those that are not
// written yet are found by their events. Either way its lines decide.

import { and, desc, eq, gt, inArray } from "drizzle-orm";

import type { Reader } from "#platform/database/database.ts";
import { preparedByFilters } from "#platform/database/prepared.ts";
import { events } from "#platform/database/tables.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";
import { CONSUMER, lineEvents } from "#sales/rows/line-index-queries.ts";
import { orderLines as lines, orderLineTerms as terms, orders } from "#sales/rows/tables.ts";

import {
  type FoundId,
  newest,
  ofIds,
  ofLines,
  ofOrder,
  ofSku,
  unindexed,
} from "./filter-queries.ts";
import type { OrderListValues } from "./order-filters.ts";

interface OfTerm extends OrderListValues {
  readonly term: string;
}
interface OfTail extends OrderListValues {
  readonly cursor: number;
  readonly productIds?: readonly string[] | undefined;
}

const listed = preparedByFilters<OfTerm>()((db, given) =>
  db
    .select({ id: terms.orderId })
    .from(terms)
    .innerJoin(orders, eq(orders.id, terms.orderId))
    .where(
      and(
        eq(terms.term, given.one("term")),
        ofIds(given, terms.orderId),
        ofOrder(given, unindexed),
        ofLines(given),
      ),
    )
    .orderBy(desc(terms.orderId))
    .limit(given.one("rows")),
);
/** The events come first: SQLite keeps to the order of a cross join. */
const notListedYet = preparedByFilters<OfTail>()((db, given) =>
  db
    .selectDistinct({ id: lines.orderId })
    .from(events)
    .crossJoin(lines)
    .crossJoin(orders)
    .where(
      and(
        inArray(events.name, lineEvents),
        gt(events.sequence, given.one("cursor")),
        ofIds(given, events.subject),
        eq(lines.orderId, events.subject),
        given.has("productIds") ? inArray(lines.productId, given.each("productIds")) : ofSku(given),
        eq(orders.id, lines.orderId),
        ofOrder(given, unindexed),
        ofLines(given),
      ),
    )
    .orderBy(desc(lines.orderId))
    .limit(given.one("rows")),
);

/** The ids of a page, newest first, of orders with a line of the product, and one of the SKUs if both are given. */
export async function findOrderIdsByLine(
  db: Reader,
  values: OrderListValues,
): Promise<readonly FoundId[]> {
  const { productId, skus = [] } = values;
  if (productId !== undefined) return findOrderIdsOfProducts(db, values, [productId]);
  let found = await waitingOrders(db, values);
  for (const sku of skus)
    found = await withListed(db, { ...values, skus: [sku] }, { found, term: sku });
  return found;
}

/** The same with a line of any of these products, of which the filter names no other. */
export async function findOrderIdsOfProducts(
  db: Reader,
  values: OrderListValues,
  productIds: readonly string[],
): Promise<readonly FoundId[]> {
  if (productIds.length === 0) return [];
  let found = await waitingOrders(db, { ...values, productIds });
  for (const productId of productIds) {
    found = await withListed(db, { ...values, productId }, { found, term: productId });
  }
  return found;
}

/** Read before what is listed: an order that becomes listed meanwhile is found twice, and not missed. */
async function waitingOrders(
  db: Reader,
  values: Omit<OfTail, "cursor">,
): Promise<readonly FoundId[]> {
  const cursor = await findLogCursor(db, CONSUMER);
  return notListedYet(db, { ...values, cursor });
}

/** Once a page is full, a term is read only as far as its orders can still be on the page. */
async function withListed(
  db: Reader,
  values: OrderListValues,
  { found, term }: { readonly found: readonly FoundId[]; readonly term: string },
): Promise<readonly FoundId[]> {
  const from = found[values.rows - 1]?.id ?? values.from;
  const more = await listed(db, { ...values, from, term });
  return newest([...found, ...more], values.rows);
}
