// Story: an order changes within its state. When nothing is left to do with it, it completes.

import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { setOrderTimers } from "#sales/recovery/recovery-timers.ts";

import { advanceOrder } from "./advance-order.ts";
import { isDone, type Order } from "./order.ts";
import { replaceOrder } from "./queries.ts";

/** Afterwards the change is the order's next version, and a done order is completed. */
export async function saveOrder(tx: Tx, before: Order, change: Partial<Order>): Promise<Order> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (before.status === "open" && isDone(after)) {
    return advanceOrder(tx, before, { action: "complete", change });
  }
  if (!(await replaceOrder(tx, after))) throw new WriteConflict("The order");
  await setOrderTimers(tx, before, after);
  return after;
}
