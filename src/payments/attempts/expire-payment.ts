// Workflow: the time to pay is over. The gateway has the last word: what it settled just now does not
// expire, and what nobody knows waits until it could be known.

import type { Id } from "#kernel/id.ts";
import { endOf, isOpen, paymentTimerNames } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { closePayment } from "./close-payment.ts";
import { pollPayment } from "./poll-payment.ts";

/** Afterwards the attempt is expired, was decided by the gateway, or has a little longer. */
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
