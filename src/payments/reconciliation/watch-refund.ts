// Workflow: polls a refund that succeeded and may fail late. Its gateway's list has all refunds of the payment.

import type { Id } from "#kernel/id.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { paymentTimerNames } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { paymentRows } from "#payments/payments/queries.ts";
import { refundRows } from "#payments/refunds/queries.ts";
import { nextWatchAt } from "#payments/refunds/refund.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

/** Afterwards the refund says what its gateway lists, and is polled again in a week, until the thirty-fifth day. */
export async function watchRefund(shop: PaymentsShop, id: Id<"refund">): Promise<void> {
  const { database, gateways } = shop;
  const { paymentId } = await refundRows.get(database.read, id);
  const payment = await paymentRows.get(database.read, paymentId);
  const mayFail = gateways.some((one) => one.id === payment.gateway && one.refundsFailLate);
  if (mayFail) await pollPayment(shop, paymentId, "due");
  await database.write(async (tx) => {
    const dueAt = mayFail ? nextWatchAt(await refundRows.get(tx, id), tx.now) : null;
    const name = paymentTimerNames.watch;
    if (dueAt === null) await clearTimer(tx, name, id);
    else await setTimer(tx, { name, subject: id, dueAt });
  });
}
