// Story: an order is saved as its next version, and completed once nothing is left to do.

import type { Tx } from "#platform/database/database.ts";
import { isDone } from "#sales/balance/balance.ts";
import { clearOrderTimers } from "#sales/recovery/recovery-timers.ts";

import { advanceOrder } from "./advance-order.ts";
import type { Order } from "./order.ts";
import { orderRows } from "./queries.ts";

/**
 * Saves the change as the order's next version; completes an open order that is shipped and paid.
 * Throws WriteConflict if the order is no longer at the version before.
 */
export async function saveOrder(tx: Tx, before: Order, change: Partial<Order>): Promise<Order> {
  if (before.status === "open" && isDone({ ...before, ...change })) {
    return advanceOrder(tx, before, { action: "complete", change });
  }
  const after = await orderRows.save(tx, before, change);
  await clearOrderTimers(tx, before, after);
  return after;
}
