// Lookup: an order that a story decides on, held until its transaction ends. Invariant: whoever decides on
// an order or on what belongs to it holds the order first, then its payment, its refund, stock by variant,
// and takes numbers last; so nobody decides on what is past, and nobody waits in a circle.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import { type Order, orderNotFound } from "./order.ts";
import { holdOrderRow } from "./queries.ts";

/** The order, which nobody else changes meanwhile. Refuses with `order_not_found`. */
export async function holdOrder(tx: Tx, id: Id<"order">): Promise<Order> {
  const order = await holdOrderRow(tx, id);
  if (order === undefined) throw orderNotFound();
  return order;
}
