// Story: an order is locked to refund something else of it than what a cancellation or a return promised. Invariant:
// the promised money does not pay for the other refund, whether its timer fired before or not.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { isTimerSet } from "#platform/scheduler/timers.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { settlingTimers, type WholeOrder } from "#sales/rows/order.ts";

import { refundSurplus } from "./refund-surplus.ts";

/** Afterwards the order is locked, and what a timer was about to refund has its refunds. */
export async function lockPromisedOrder(tx: Tx, id: Id<"order">): Promise<WholeOrder> {
  const whole = await lockWholeOrder(tx, id);
  if (!(await isTimerSet(tx, settlingTimers.refundOverpaid, id))) return whole;
  await refundSurplus(tx, id);
  return lockWholeOrder(tx, id);
}
