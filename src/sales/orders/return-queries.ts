// SQL of returns.

import { and, desc, eq, getTableColumns, lt } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { prepared, preparedByFilters, preparedInsert } from "#platform/database/prepared.ts";
import { preparedRedaction } from "#platform/database/statements.ts";
import { orderReturns, orders, type ReturnRow } from "#sales/rows/tables.ts";

export const insertReturn = preparedInsert(orderReturns);

export const redactReturnRows = preparedRedaction(orderReturns, {
  orderId: orderReturns.orderId,
  id: orderReturns.id,
});

const returnsOfOrder = preparedByFilters<{
  orderId: string;
  after?: string | undefined;
  rows: number;
}>()((db, given) =>
  db
    .select()
    .from(orderReturns)
    .where(
      and(
        eq(orderReturns.orderId, given.one("orderId")),
        given.has("after") ? lt(orderReturns.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(orderReturns.id))
    .limit(given.one("rows")),
);

/** The returns of a customer's orders with their currency, newest first. */
export const returnsOfCustomer = prepared<{ customerId: string }>()((db, at) =>
  db
    .select({ ...getTableColumns(orderReturns), currency: orders.currency })
    .from(orderReturns)
    .innerJoin(orders, eq(orders.id, orderReturns.orderId))
    .where(eq(orders.customerId, at.customerId))
    .orderBy(desc(orderReturns.id)),
);

/** A page of the returns of an order, newest first. */
export async function listReturns(
  db: Reader,
  orderId: Id<"order">,
  page: PageRequest,
): Promise<Page<ReturnRow>> {
  const values = { orderId, after: page.after ?? undefined, rows: page.limit + 1 };
  return toPage(await returnsOfOrder(db, values), page.limit);
}
