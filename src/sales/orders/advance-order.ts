// The only writer of an order's status: looks up the life table, writes the next version, emits the
// event.

import { arrow } from "#kernel/machine.ts";
import type { Announcement, Tx } from "#platform/database/database.ts";
import { dueOf } from "#sales/rows/balance.ts";
import { orderLife } from "#sales/rows/order-life.ts";
import { forbidden, type Order } from "#sales/rows/order.ts";
import { orderRows } from "#sales/rows/queries.ts";
import { clearOrderTimers } from "#sales/rows/recovery-timers.ts";

export interface OrderMove {
  readonly action: "complete" | "cancel";
  readonly change: Partial<Order>;
  /** Builds the event from the order after the move; called if the table names an event. */
  readonly announce?: (order: Order) => Announcement;
}

/** Moves the order to its next state and emits the event. Refuses with `invalid_transition`. */
export async function advanceOrder(tx: Tx, before: Order, move: OrderMove): Promise<Order> {
  const step = arrow(orderLife, before.status, move.action);
  if (step === null) throw forbidden(before, move.action);
  const change = { ...move.change, status: step.next };
  const dueMinor = dueOf({ ...before, ...change });
  const after = await orderRows.save(tx, before, { ...change, dueMinor });
  await clearOrderTimers(tx, before, after);
  if (step.event !== null && move.announce !== undefined) await tx.emit(move.announce(after));
  return after;
}
