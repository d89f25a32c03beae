// Workflow: an order's time is over. Its stock never goes to somebody else before the gateways were
// asked once more whether its money came.

import type { Id } from "#kernel/id.ts";
import type { Cashier } from "#payments/payments/cashier.ts";
import { isWatched } from "#payments/payments/payment.ts";
import { findPaymentsOfOrder } from "#payments/payments/queries.ts";
import { expireOrder } from "#sales/recovery/unpaid-orders.ts";

import { lookAtPayment } from "./look-at-payment.ts";

/** Afterwards the order is paid, given up, or waits for an open attempt a little longer. */
export async function expireUnpaidOrder(cashier: Cashier, id: Id<"order">): Promise<void> {
  const payments = await findPaymentsOfOrder(cashier.store.read, id);
  for (const payment of payments.filter(isWatched)) await lookAtPayment(cashier, payment.id, "now");
  await cashier.store.write((tx) => expireOrder(tx, id));
}
