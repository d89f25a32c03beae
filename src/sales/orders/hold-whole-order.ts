// Lookup: an order that a story decides on, with all that belongs to it. Invariant: lines and
// fulfillments are read only once the order is held, so that all three are of one moment.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import { holdOrder } from "./hold-order.ts";
import type { WholeOrder } from "./order.ts";
import { findFulfillments, findLines } from "./queries.ts";

/** The order, which nobody else changes meanwhile. Refuses with `order_not_found`. */
export async function holdWholeOrder(tx: Tx, id: Id<"order">): Promise<WholeOrder> {
  return {
    order: await holdOrder(tx, id),
    lines: await findLines(tx, [id]),
    fulfillments: await findFulfillments(tx, [id]),
  };
}
