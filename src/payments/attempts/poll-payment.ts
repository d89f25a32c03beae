// Workflow: ask the gateway what became of an attempt, and settle. Looking never does harm.

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
  LOOK_PAUSE_MS,
  nextPollAt,
  type Payment,
  paymentTimerNames,
} from "#payments/payments/payment.ts";
import { attemptOf, gatewayOf, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { claimPoll } from "#payments/payments/queries.ts";
import { settlePayment } from "#payments/payments/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

/**
 * The payment after a look at the gateway; `politely` looks only at an open one that nobody looked
 * at for ten seconds. Refuses with `payment_not_found`.
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
    if (!isOpen(payment) || payment.lookedAt > shop.clock.now() - LOOK_PAUSE_MS) return found;
    if (!(await database.write((tx) => claimPoll(tx, payment.id, LOOK_PAUSE_MS)))) return found;
  }
  const outcome = await ask(shop, payment);
  return database.write(async (tx) => {
    const held = await lockPayment(tx, payment.id);
    // A page that was made anew meanwhile has another reference: of that one nobody told anything.
    const isAsked = held.payment.gatewayReference === payment.gatewayReference;
    await planNext(tx, isAsked ? await settlePayment(tx, held, { mode, outcome }) : held);
    return getPayment(tx, payment.id);
  });
}

async function ask(shop: PaymentsShop, payment: Payment): Promise<PaymentOutcome> {
  const gateway = gatewayOf(shop, payment);
  if (gateway === null) return { state: "unknown" };
  try {
    return await gateway.verify(attemptOf(payment));
  } catch {
    // A gateway that breaks off has told nothing.
    return { state: "unknown" };
  }
}

/** After the last look of the plan, what is still open or was never learnt is for a person. */
async function planNext(tx: Tx, held: LockedPayment): Promise<void> {
  const { payment } = held;
  const dueAt = isWatched(payment) ? nextPollAt(payment, tx.now) : null;
  if (dueAt !== null) {
    await setTimer(tx, { name: paymentTimerNames.look, subject: payment.id, dueAt });
    return;
  }
  await clearTimer(tx, paymentTimerNames.look, payment.id);
  if (isWatched(payment) && (isOpen(payment) || payment.isUnknown)) {
    await advancePayment(tx, held, { action: "doubt", change: { nextAction: null } });
  }
}
