// Workflow: the time to pay is over. The gateway is polled first: an attempt that it has settled does
// not expire, nor does one on which it works, and one whose outcome is unknown is kept until it could be known.

import type { Id } from "#kernel/id.ts";
import { HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import { endOf, isOpenAttempt, paymentTimerNames } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { clearTimer, isTimerSet, setTimer } from "#platform/scheduler/timers.ts";

import { closePayment } from "./close-payment.ts";
import { pollPayment } from "./poll-payment.ts";

const { expire: name } = paymentTimerNames;

/** When an attempt that its gateway would not close is closed again, milliseconds. */
const LEFT_OPEN_MS = HOUR_MS;
/** When an attempt expires whose gateway was not reached since the start, milliseconds: it may be paid. */
const UNREACHED_MS = 5 * MINUTE_MS;

/** Afterwards the attempt is expired, settled by the gateway, or its timer is set a little later. */
export async function expirePayment(shop: PaymentsShop, id: Id<"payment">): Promise<void> {
  const { database, clock, health } = shop;
  const { payment } = await pollPayment(shop, id, "due");
  // The poll cleared it: the payment is decided, or only the gateway works on it.
  if (!(await isTimerSet(database.read, name, id))) return;
  const isReached = payment.gateway === null || !health.isUnreached(payment.gateway);
  const endsAt = isReached ? endOf(payment, clock.now()) : clock.now() + UNREACHED_MS;
  const isOver = isOpenAttempt(payment) && endsAt <= clock.now();
  const left = isOver ? (await closePayment(shop, id, "expire")).payment : payment;
  const dueAt = isOver ? clock.now() + LEFT_OPEN_MS : endsAt;
  await database.write(async (tx) => {
    if (!isOpenAttempt(left)) await clearTimer(tx, name, id);
    else if (await isTimerSet(tx, name, id)) await setTimer(tx, { name, subject: id, dueAt });
  });
}
