// Lookup: an order that a story decides on, held until its transaction ends. Invariant: an order is the
// root of all that belongs to it, so whoever decides on it, its lines, its fulfillments, or the payments
// and refunds made for it, holds its row first; lock order is told in the invariants of src/README.md.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/store/store.ts";

import { type Order, orderNotFound } from "./order.ts";
import { holdOrderRow } from "./queries.ts";

/** The order, which nobody else changes meanwhile. Refuses with `order_not_found`. */
export async function holdOrder(tx: Tx, id: Id<"order">): Promise<Order> {
  const order = await holdOrderRow(tx, id);
  if (order === undefined) throw orderNotFound();
  return order;
}
