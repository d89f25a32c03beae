// Story: opens the refunds of what was paid beyond what an order owes, after units were cancelled or came back.

import type { Id } from "#kernel/id.ts";
import type { Refund } from "#payments/refunds/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { overpaidOf } from "#sales/balance/balance.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";

import { spreadRefunds } from "./spread-refunds.ts";

/**
 * Afterwards what was overpaid has refunds, which their timers send. Money by hand gets a refund that waits for a
 * person. Safe to repeat: an opened refund leaves less to refund.
 */
export async function refundSurplus(tx: Tx, id: Id<"order">): Promise<readonly Refund[]> {
  const { order, lines } = await lockWholeOrder(tx, id);
  const isReturned = lines.some(({ returnedQuantity }) => returnedQuantity > 0);
  const { refunds } = await spreadRefunds(tx, order, {
    amountMinor: overpaidOf(order),
    reason: isReturned && order.status !== "cancelled" ? "goods_returned" : "order_cancelled",
    isSideEffect: true,
  });
  return refunds;
}
