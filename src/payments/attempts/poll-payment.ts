// Workflow: asks the gateway what became of an attempt, and settles it. Safe to repeat at any time.

import type { PaymentOutcome } from "#payments/gateways/port.ts";
import { advancePayment } from "#payments/payments/advance-payment.ts";
import {
  getPayment,
  type LockedPayment,
  lockPayment,
  type WholePayment,
} from "#payments/payments/lookups.ts";
import {
  isOpen,
  isWatched,
  nextPollAt,
  paymentTimerNames,
  POLL_PAUSE_MS,
} from "#payments/payments/payment.ts";
import { askGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { claimPoll } from "#payments/payments/queries.ts";
import { settlePayment } from "#payments/payments/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

/**
 * Returns the payment as the gateway knows it. `politely` polls an open one only, and at most every
 * ten seconds. Refuses with `payment_not_found`.
 */
export async function pollPayment(
  shop: PaymentsShop,
  reference: string,
  manner: "politely" | "now",
): Promise<WholePayment> {
  const { database, mode } = shop;
  const found = await getPayment(database.read, reference);
  const { payment } = found;
  if (payment.gateway === null) return found;
  if (manner === "politely") {
    if (!isOpen(payment) || payment.lookedAt > shop.clock.now() - POLL_PAUSE_MS) return found;
    if (!(await database.write((tx) => claimPoll(tx, payment.id, POLL_PAUSE_MS)))) return found;
  }
  const outcome = await askGateway<PaymentOutcome>(shop, payment, {
    ask: (gateway, attempt) => gateway.verify(attempt),
    absent: { state: "unknown" },
    broken: { state: "unknown" },
  });
  return database.write(async (tx) => {
    const locked = await lockPayment(tx, payment.id);
    // A fresh page may have replaced the reference meanwhile: the answer is not about that one.
    const isSame = locked.payment.gatewayReference === payment.gatewayReference;
    await planNext(tx, isSame ? await settlePayment(tx, locked, { mode, outcome }) : locked);
    return getPayment(tx, payment.id);
  });
}

/** After the last planned poll, an attempt that is still open or unknown goes to `review`. */
async function planNext(tx: Tx, locked: LockedPayment): Promise<void> {
  const { payment } = locked;
  const dueAt = isWatched(payment) ? nextPollAt(payment, tx.now) : null;
  if (dueAt !== null) {
    await setTimer(tx, { name: paymentTimerNames.poll, subject: payment.id, dueAt });
    return;
  }
  await clearTimer(tx, paymentTimerNames.poll, payment.id);
  if (isWatched(payment) && (isOpen(payment) || payment.isUnknown)) {
    await advancePayment(tx, locked, { action: "doubt", change: { nextAction: null } });
  }
}
