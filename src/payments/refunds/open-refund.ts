// Story: opens a refund. Invariant: one conditional write sets the amount aside, so the refunds of a
// payment never exceed what was captured.

import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import { newId } from "#kernel/id.ts";
import { formatAmount } from "#kernel/money.ts";
import type { RefundedLine, RefundReason } from "#payments/payments/payment-life.ts";
import { type Payment, paymentTimerNames, refundableMinor } from "#payments/payments/payment.ts";
import { refundRows, setAsideForRefund } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { type Refund, refundExceedsCaptured } from "./refund.ts";

export interface RefundTerms {
  readonly amountMinor: number;
  readonly reason: RefundReason;
  readonly note?: string | null;
  readonly lines?: readonly RefundedLine[];
  readonly isAutomatic?: boolean;
  readonly idempotent?: { readonly key: string; readonly fingerprint: string } | null;
}

/**
 * Afterwards the refund is saved, its amount is set aside, and a timer that is due now sends it unless
 * the caller does. Refuses with `refund_exceeds_captured`.
 */
export async function openRefund(tx: Tx, payment: Payment, terms: RefundTerms): Promise<Refund> {
  const updated = await setAsideForRefund(tx, payment.id, terms.amountMinor);
  if (updated === undefined) throw exceeded(payment);
  const { note = null, lines = [], isAutomatic = false, idempotent = null } = terms;
  const refund: Refund = {
    id: newId("refund", tx.now),
    paymentId: payment.id,
    orderId: payment.orderId,
    status: "pending",
    amountMinor: terms.amountMinor,
    currency: currencyOf(payment),
    reason: terms.reason,
    note,
    lines,
    isAutomatic,
    gatewayRefundId: null,
    gatewayCode: null,
    isUnknown: false,
    idempotencyKey: idempotent === null ? null : idempotent.key,
    fingerprint: idempotent === null ? null : idempotent.fingerprint,
    succeededAt: null,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await refundRows.insert(tx, refund);
  await setTimer(tx, { name: paymentTimerNames.refund, subject: refund.id, dueAt: tx.now });
  return refund;
}

/** Money in review is refunded in the currency it arrived in. */
function currencyOf({ status, receivedCurrency, currency }: Payment): CurrencyCode {
  const received = status === "review" ? receivedCurrency : null;
  return received !== null && isCurrency(received) ? received : currency;
}

function exceeded(payment: Payment) {
  const leftMinor = refundableMinor(payment);
  return refundExceedsCaptured({
    detail: `Only ${formatAmount(leftMinor, payment.currency)} ${payment.currency} can be refunded.`,
    members: { refundable_minor: leftMinor, currency: payment.currency },
  });
}
