// Story: the payments of an order follow a change of what it owes. Gateways are called after the commit: a timer
// that is due at once survives a crash.

import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { type Order, settlingTimers } from "#sales/orders/order.ts";

import { overpaidOf } from "./balance.ts";

/** Afterwards a timer refunds what is overpaid, and closes the attempts that ask for more than is due. */
export async function settleLater(tx: Tx, order: Order): Promise<void> {
  const isOverpaid = overpaidOf(order) > 0;
  if (!isOverpaid && order.openAttempts === 0) return;
  const { refundOverpaid, closeAttempts } = settlingTimers;
  const name = isOverpaid ? refundOverpaid : closeAttempts;
  await setTimer(tx, { name, subject: order.id, dueAt: tx.now });
}
