// Workflow: closes an order's attempts because it is paid or cancelled. Safe to repeat.

import type { Id } from "#kernel/id.ts";
import { isOpen } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findPaymentsOfOrder } from "#payments/payments/queries.ts";

import { closePayment } from "./close-payment.ts";

/** Afterwards no attempt waits for the customer. Those in `processing` end by themselves. */
export async function closeAttempts(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  for (const payment of await findPaymentsOfOrder(shop.database.read, id)) {
    if (isOpen(payment) && payment.status !== "processing") {
      await closePayment(shop, payment.id, "cancel");
    }
  }
}
