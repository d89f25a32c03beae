// Lookup: pages of orders, each with its lines and fulfillments.

import { findCustomersMatching } from "#customers/lookups.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import type { WholeOrder } from "#sales/orders/order.ts";
import {
  findFulfillments,
  findLines,
  listOrderRows,
  type OrderFilters,
} from "#sales/orders/queries.ts";

import { type OrderSearch, searchOrders } from "./search-orders.ts";

export interface OrderQuery extends OrderFilters {
  /** A number, an external id, or words of a customer. */
  readonly q?: string | undefined;
}

/** Orders, newest first. */
export async function listOrders(
  db: Reader,
  { q, ...filters }: OrderQuery,
  page: PageRequest,
): Promise<Page<WholeOrder>> {
  const found =
    q === undefined
      ? await listOrderRows(db, filters, page)
      : await searchOrders(db, { ...filters, search: await searchOf(db, q) }, page);
  const { rows, hasMore } = toPage(found, page.limit);
  const ids = rows.map((order) => order.id);
  const lines = Map.groupBy(await findLines(db, ids), (line) => line.orderId);
  const fulfillments = Map.groupBy(await findFulfillments(db, ids), (one) => one.orderId);
  return {
    hasMore,
    rows: rows.map((order) => ({
      order,
      lines: lines.get(order.id) ?? [],
      fulfillments: fulfillments.get(order.id) ?? [],
    })),
  };
}

async function searchOf(db: Reader, q: string): Promise<OrderSearch> {
  const text = q.trim();
  const digits = /^#?([0-9]{1,15})$/.exec(text)?.[1];
  return {
    number: digits === undefined ? -1 : Number(digits),
    externalId: text,
    customerIds: await findCustomersMatching(db, text),
  };
}
