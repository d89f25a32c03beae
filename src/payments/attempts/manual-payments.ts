// Stories: the merchant confirms that money by hand arrived, such as cash or a transfer, and corrects an amount that was
// mistyped.

import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount, readPositiveAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import { paymentCorrected } from "#payments/rows/events.ts";
import {
  getPayment,
  type LockedPayment,
  lockPayment,
  type WholePayment,
} from "#payments/rows/lookups.ts";
import { amountMismatch, type Payment, paymentForbidden } from "#payments/rows/payment.ts";
import { advancePayment } from "#payments/settling/advance-payment.ts";
import { openRefund } from "#payments/settling/open-refund.ts";
import { arrivedAs, settlePayment } from "#payments/settling/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { overpaidOf } from "#sales/rows/balance.ts";

import { checkTold, readTold, requireSameTold, type Told, untold } from "./told-facts.ts";

interface Confirmation {
  /** The money that came, major units of the payment's currency. */
  readonly amount: number | string;
  /** The payment's currency if undefined. */
  readonly currency?: CurrencyCode | undefined;
  readonly told?: Told;
  readonly mode: Mode;
}

/**
 * Afterwards the amount counts as paid, whatever was asked for and whatever became of the order since. Of a
 * cancelled order it has a refund that waits to be handed back.
 * A payment that is confirmed already is returned as it is if nothing else is told of it now. Refuses with
 * `validation_failed`, with `invalid_transition` for a gateway's payment, with `transaction_seen`, and with
 * `amount_mismatch` for another currency and for a second confirmation of another amount, `confirmation_differs` for
 * one of other facts.
 */
export async function confirmPayment(
  tx: Tx,
  reference: string,
  { amount, currency: named, told = untold, mode }: Confirmation,
): Promise<WholePayment> {
  const locked = await lockPayment(tx, reference);
  const { payment } = locked;
  const { currency } = payment;
  if (payment.gateway !== null) throw paymentForbidden(payment, "confirm");
  if (named !== undefined && named !== currency) throw amountMismatch();
  const faults = new Faults();
  const amountMinor = readPositiveAmount(amount, currency, { faults, pointer: "/amount" }) ?? 0;
  await checkTold(tx, told, { method: payment.method, faults, at: "" });
  faults.refuseIfAny();
  if (payment.receivedMinor !== null) {
    if (payment.receivedMinor !== amountMinor) throw amountMismatch();
    requireSameTold(payment, told);
    return getPayment(tx, payment.id);
  }
  await settlePayment(tx, locked, {
    mode,
    outcome: arrivedAs(payment, { mode, amountMinor }),
    told: await readTold(tx, told, payment.method),
  });
  return getPayment(tx, payment.id);
}

interface Correction {
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
