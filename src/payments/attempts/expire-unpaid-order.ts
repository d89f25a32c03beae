// Workflow: an unpaid order expires. Its gateways are polled once more before its stock is released.

import type { Id } from "#kernel/id.ts";
import { isBeingPaid } from "#payments/payments/lookups.ts";
import { isWatched } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findPaymentsOfOrder } from "#payments/payments/queries.ts";
import { expireOrder } from "#sales/recovery/unpaid-orders.ts";

import { pollPayment } from "./poll-payment.ts";

/** Afterwards the order is paid, cancelled, or waits a little longer for an open attempt. */
export async function expireUnpaidOrder(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  const payments = await findPaymentsOfOrder(shop.database.read, id);
  // An order waits days for one on which a gateway works, which has polls of its own.
  const isWorking = payments.some(({ status }) => status === "processing");
  for (const payment of payments.filter((one) => isWatched(one) && !isWorking)) {
    await pollPayment(shop, payment.id, "due");
  }
  await shop.database.write((tx) => expireOrder(tx, id, isBeingPaid));
}
