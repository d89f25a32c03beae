// Story: the merchant corrects the amount of a confirmed payment that was mistyped.

import { formatAmount, readPositiveAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import { advancePayment } from "#payments/payments/advance-payment.ts";
import { paymentCorrected } from "#payments/payments/events.ts";
import {
  getPayment,
  type LockedPayment,
  lockPayment,
  type WholePayment,
} from "#payments/payments/lookups.ts";
import { type Payment, paymentForbidden } from "#payments/payments/payment.ts";
import { openRefund } from "#payments/refunds/open-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { overpaidOf } from "#sales/rows/balance.ts";

export interface Correction {
  /** The money that really came, major units. */
  readonly amount: number | string;
  readonly note: string | null;
}

/**
 * Afterwards the payment and its order count what really came, and `payment.corrected` is emitted; without a
 * difference nothing is written. An order that was announced as paid stays so; what came beyond what a cancelled one
 * keeps has a refund that waits to be handed back. Refuses with `payment_not_found`, `invalid_transition` for a
 * gateway's payment and one without money, and `validation_failed` for less than its refunds.
 */
export async function correctPayment(
  tx: Tx,
  reference: string,
  { amount, note }: Correction,
): Promise<WholePayment> {
  const locked = await lockPayment(tx, reference);
  const { payment: before } = locked;
  const isByHand = before.gateway === null;
  if (!isByHand || before.capturedMinor === 0) throw paymentForbidden(before, "correct");
  const amountMinor = readCorrection(before, amount);
  if (amountMinor === before.capturedMinor) return getPayment(tx, before.id);
  const corrected = await advancePayment(tx, locked, {
    action: "correct",
    change: {
      capturedMinor: amountMinor,
      receivedMinor: amountMinor,
      receivedCurrency: before.currency,
    },
    announce: (after, order) => paymentCorrected(after, { order, before, note }),
  });
  const { refundedMinor } = corrected.payment;
  if (refundedMinor === amountMinor) {
    await advancePayment(tx, corrected, { action: "refund", change: {} });
  }
  await handBack(tx, corrected, amountMinor - before.capturedMinor);
  return getPayment(tx, before.id);
}

/** Opens a refund, which a person closes, of what came beyond what a cancelled order keeps. */
async function handBack(tx: Tx, locked: LockedPayment, addedMinor: number): Promise<void> {
  const { order } = locked;
  if (order?.status !== "cancelled") return;
  const amountMinor = Math.min(addedMinor, overpaidOf(order));
  if (amountMinor <= 0) return;
  await openRefund(tx, locked, { amountMinor, reason: "order_cancelled", isSideEffect: true });
}

function readCorrection({ currency, refundingMinor }: Payment, amount: number | string): number {
  const faults = new Faults();
  const amountMinor = readPositiveAmount(amount, currency, { faults, pointer: "/amount" }) ?? 0;
  if (amountMinor > 0 && amountMinor < refundingMinor) {
    const least = formatAmount(refundingMinor, currency);
    const detail = `The refunds of this payment come to ${least} ${currency}.`;
    faults.add("/amount", "less_than_refunded", detail);
  }
  faults.refuseIfAny();
  return amountMinor;
}
