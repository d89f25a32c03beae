// Workflow: nobody shall pay an order any more, because it is paid or cancelled. May be repeated.

import type { Id } from "#kernel/id.ts";
import type { Cashier } from "#payments/payments/cashier.ts";
import { isOpen } from "#payments/payments/payment.ts";
import { findPaymentsOfOrder } from "#payments/payments/queries.ts";

import { closePayment } from "./close-payment.ts";

/** Afterwards no attempt to pay the order waits for the payer; one that is at work ends by itself. */
export async function closeAttempts(cashier: Cashier, id: Id<"order">): Promise<void> {
  for (const payment of await findPaymentsOfOrder(cashier.database.read, id)) {
    if (isOpen(payment) && payment.status !== "processing") {
      await closePayment(cashier, payment.id, "cancel");
    }
  }
}
