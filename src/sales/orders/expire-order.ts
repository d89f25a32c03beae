// Story: nobody paid an order in its time, and what it holds can be sold to somebody else.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { cancelOrder } from "./cancel-order.ts";
import { awaitsPayment, LOOK_AGAIN_MS, unpaidOrderTimer } from "./order.ts";
import { holdOrderRow } from "./queries.ts";

/**
 * Afterwards its timer is gone, and an order that still waits for its money is cancelled as `expired`
 * and its stock is free. While an attempt to pay is open its gateway has the last word: the story is told again a
 * little later.
 */
export async function expireOrder(tx: Tx, id: Id<"order">): Promise<void> {
  const order = await holdOrderRow(tx, id);
  await clearTimer(tx, unpaidOrderTimer, id);
  if (order === undefined || !awaitsPayment(order) || order.expiresAt === null) return;
  if (order.openAttempts > 0) {
    await setTimer(tx, { name: unpaidOrderTimer, subject: id, dueAt: tx.now + LOOK_AGAIN_MS });
    return;
  }
  const cancellation = { reason: "expired", note: null, refund: true } as const;
  await cancelOrder(tx, id, { cancellation, expected: null });
}
