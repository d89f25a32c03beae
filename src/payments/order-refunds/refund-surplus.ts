// Story: opens the refunds of what was paid beyond what an order owes, after units were cancelled or came back.

import type { Id } from "#kernel/id.ts";
import type { Refund } from "#payments/refunds/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { overpaidOf } from "#sales/balance/balance.ts";
import { lockOrder } from "#sales/orders/lookups.ts";

import { spreadRefunds } from "./spread-refunds.ts";

/**
 * Afterwards what was overpaid has refunds, which their timers send. Money by hand gets a refund that waits for a
 * person. Safe to repeat: an opened refund leaves less to refund.
 */
export async function refundSurplus(tx: Tx, id: Id<"order">): Promise<readonly Refund[]> {
  const order = await lockOrder(tx, id);
  const isCancelled = order.status === "cancelled";
  const { refunds } = await spreadRefunds(tx, order, {
    amountMinor: overpaidOf(order),
    reason: isCancelled ? "order_cancelled" : "goods_returned",
    isSideEffect: true,
  });
  return refunds;
}
