// Story: an order that waits for its customer's money is watched, so that it neither holds stock for
// ever nor is forgotten. One timer at a time: the hour's hands over to the day's, because a row more
// for each order would be paid by every order.

import type { Tx } from "#platform/database/store.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { awaitsPayment, LEFT_AFTER_MS, type Order, unpaidOrderTimer } from "./order.ts";

/** Afterwards the order is watched if it waits for money, and no longer if it does not. */
export async function setOrderTimers(tx: Tx, before: Order | null, after: Order): Promise<void> {
  const { id: subject, createdAt, expiresAt } = after;
  const leftAt = createdAt + LEFT_AFTER_MS;
  if (before === null && awaitsPayment(after)) {
    await setTimer(tx, { name: "abandon_order", subject, dueAt: leftAt });
    if (expiresAt === null || expiresAt > leftAt) return;
    await setTimer(tx, { name: unpaidOrderTimer, subject, dueAt: expiresAt });
  } else if (before !== null && awaitsPayment(before) && !awaitsPayment(after)) {
    await clearTimer(tx, "abandon_order", subject);
    await clearTimer(tx, unpaidOrderTimer, subject);
  }
}
