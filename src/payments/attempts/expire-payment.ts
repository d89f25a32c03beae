// Workflow: the time to pay is over. The gateway is polled first: an attempt that it has settled does
// not expire, and one whose outcome is unknown is kept until it could be known.

import type { Id } from "#kernel/id.ts";
import { endOf, isOpen, paymentTimerNames } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { closePayment } from "./close-payment.ts";
import { pollPayment } from "./poll-payment.ts";

/** Afterwards the attempt is expired, settled by the gateway, or its timer is set a little later. */
export async function expirePayment(shop: PaymentsShop, id: Id<"payment">): Promise<void> {
  const { database, clock } = shop;
  const { payment } = await pollPayment(shop, id, "now");
  const { expire: name } = paymentTimerNames;
  const dueAt = endOf(payment, clock.now());
  if (!isOpen(payment)) await database.write((tx) => clearTimer(tx, name, id));
  else if (dueAt > clock.now())
    await database.write((tx) => setTimer(tx, { name, subject: id, dueAt }));
  else await closePayment(shop, id, "expire");
}
