// Workflow: an order's time is over. Its stock never goes to somebody else before the gateways were
// asked once more whether its money came.

import type { Id } from "#kernel/id.ts";
import type { Cashier } from "#payments/payments/cashier.ts";
import { isWatched } from "#payments/payments/payment.ts";
import { findPaymentsOfOrder } from "#payments/payments/queries.ts";
import { expireOrder } from "#sales/recovery/unpaid-orders.ts";

import { pollPayment } from "./poll-payment.ts";

/** Afterwards the order is paid, given up, or waits for an open attempt a little longer. */
export async function expireUnpaidOrder(cashier: Cashier, id: Id<"order">): Promise<void> {
  const payments = await findPaymentsOfOrder(cashier.database.read, id);
  for (const payment of payments.filter(isWatched)) await pollPayment(cashier, payment.id, "now");
  await cashier.database.write((tx) => expireOrder(tx, id));
}
