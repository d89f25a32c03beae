// Workflow: closes an order's attempts that ask for more than is due. Safe to repeat.

import type { Id } from "#kernel/id.ts";
import { isOpenAttempt } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findPaymentsOfOrder } from "#payments/payments/queries.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { dueOf } from "#sales/rows/balance.ts";

import { closePayment } from "./close-payment.ts";

/**
 * Afterwards no attempt that waits for the customer asks for more than is due; a cancelled or paid order has
 * none. Those in `processing` end by themselves.
 */
export async function closeAttempts(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  const { database } = shop;
  const dueMinor = dueOf((await getOrder(database.read, id)).order);
  for (const payment of await findPaymentsOfOrder(database.read, id)) {
    const isWaiting = isOpenAttempt(payment) && payment.status !== "processing";
    if (isWaiting && payment.amountMinor > dueMinor) {
      await closePayment(shop, payment.id, "cancel");
    }
  }
}
