// Story: the merchant accepts money in review, which did not match the payment.

import { readPositiveAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import {
  getPayment,
  type LockedPayment,
  lockPayment,
  type WholePayment,
} from "#payments/rows/lookups.ts";
import { isInOtherCurrency, type Payment, paymentForbidden } from "#payments/rows/payment.ts";
import { advancePayment } from "#payments/settling/advance-payment.ts";
import { planNoticedPoll } from "#payments/settling/plan-polls.ts";
import type { Tx } from "#platform/database/database.ts";
import { writeOffDue } from "#sales/changing/write-offs.ts";
import { restartExpiry } from "#sales/orders/save-order.ts";
import { dueOf } from "#sales/rows/balance.ts";
import { invalidTransition } from "#sales/rows/order.ts";

export interface Acceptance {
  /** The amount that the money stands for, major units of the payment's currency; undefined if it is known. */
  readonly amount: number | string | undefined;
  /** True if what the order still owes afterwards is written off; a payment link owes nothing. */
  readonly writeOff: boolean;
}

/**
 * Afterwards the payment counts as paid: with what arrived, or with the amount that money in another currency
 * stands for; its gateway is asked what of it went back. What is still due is written off, or the time to pay it
 * starts anew. Refuses with `invalid_transition` outside of `review`, while the money is refunded and for a cancelled
 * order, and with `validation_failed`.
 */
export async function acceptPayment(
  tx: Tx,
  reference: string,
  acceptance: Acceptance,
): Promise<WholePayment> {
  const locked = await lockPayment(tx, reference);
  refuseUnacceptable(locked);
  const { payment, order } = await advancePayment(tx, locked, {
    action: "accept",
    change: { capturedMinor: readCaptured(locked.payment, acceptance.amount), succeededAt: tx.now },
  });
  // A part that went back at the gateway is not taken over while the money is in review.
  if (payment.gateway !== null) await planNoticedPoll(tx, payment);
  if (order !== null) {
    const dueMinor = dueOf(order);
    if (!acceptance.writeOff) await restartExpiry(tx, order);
    else if (dueMinor > 0) await writeOffDue(tx, order, { amountMinor: dueMinor, note: null });
  }
  return getPayment(tx, locked.payment.id);
}

function refuseUnacceptable({ payment, order }: LockedPayment): void {
  const { status, refundingMinor } = payment;
  if (status !== "review") throw paymentForbidden(payment, "accept");
  const members = { from: status, action: "accept" };
  if (refundingMinor > 0) {
    const detail = "The money in review is being refunded.";
    throw invalidTransition({ detail, members: { ...members, allowed: [] } });
  }
  if (order?.status === "cancelled") {
    const detail = "The order is cancelled: the money in review can only be refunded.";
    throw invalidTransition({ detail, members: { ...members, allowed: ["refund"] } });
  }
}

/** Minor units of the payment's currency. Refuses with `validation_failed`. */
function readCaptured(payment: Payment, amount: Acceptance["amount"]): number {
  const { receivedMinor, receivedCurrency, currency, amountMinor } = payment;
  const faults = new Faults();
  const pointer = "/amount";
  const isKnown = !isInOtherCurrency(payment) && receivedMinor !== null && receivedMinor > 0;
  if (isKnown && amount !== undefined) {
    faults.add(pointer, "amount_known", `The money arrived in ${currency} and counts as it came.`);
  } else if (isInOtherCurrency(payment) && amount === undefined) {
    const detail = `The money arrived in ${receivedCurrency}: send what it stands for in ${currency}.`;
    faults.add(pointer, "required", detail);
  }
  const givenMinor =
    amount === undefined ? amountMinor : readPositiveAmount(amount, currency, { faults, pointer });
  faults.refuseIfAny();
  return isKnown ? receivedMinor : (givenMinor ?? amountMinor);
}
