// Lookup: one order with all that belongs to it.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

import { orderNotFound, type WholeOrder } from "./order.ts";
import { findFulfillments, findLines, findOrderRow } from "./queries.ts";

/** The order. Refuses with `order_not_found`. */
export async function findOrder(db: Reader, id: Id<"order">): Promise<WholeOrder> {
  const order = await findOrderRow(db, id);
  if (order === undefined) throw orderNotFound();
  return {
    order,
    lines: await findLines(db, [id]),
    fulfillments: await findFulfillments(db, [id]),
  };
}
