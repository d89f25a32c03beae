// Workflow: refunds what was paid beyond what an order owes, after units were cancelled or came back. Safe to
// repeat: an opened refund leaves less to refund.

import type { Id } from "#kernel/id.ts";
import { closeAttempts } from "#payments/attempts/close-attempts.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { overpaidOf } from "#sales/balance/balance.ts";
import { lockOrder } from "#sales/orders/lookups.ts";

import { spreadRefunds } from "./spread-refunds.ts";

/**
 * Afterwards no attempt asks for more than is due, and what was overpaid has refunds, which their timers send.
 * Money by hand gets a refund that waits for a person.
 */
export async function refundOverpaid(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  await closeAttempts(shop, id);
  await shop.database.write(async (tx) => {
    const order = await lockOrder(tx, id);
    const isCancelled = order.status === "cancelled";
    await spreadRefunds(tx, order, {
      amountMinor: overpaidOf(order),
      reason: isCancelled ? "order_cancelled" : "goods_returned",
      isSideEffect: true,
    });
  });
}
