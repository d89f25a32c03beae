// Story: money is to go back. Invariant: the amount is set aside by one conditional write, so that
// the refunds of a payment never come to more than was captured.

import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import { newId } from "#kernel/id.ts";
import { formatAmount } from "#kernel/money.ts";
import { type Payment, paymentTimerNames, refundableMinor } from "#payments/payments/payment.ts";
import { insertRefund, setAsideForRefund } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import {
  type Refund,
  type RefundedLine,
  refundExceedsCaptured,
  type RefundReason,
} from "./refund.ts";

export interface RefundTerms {
  readonly amountMinor: number;
  readonly reason: RefundReason;
  readonly note?: string | null;
  readonly lines?: readonly RefundedLine[];
  readonly isAutomatic?: boolean;
  readonly idempotent?: { readonly key: string; readonly fingerprint: string } | null;
}

/**
 * Afterwards the refund is on record and its amount set aside; a timer sends it, should nobody do so
 * at once. Refuses with `refund_exceeds_captured`.
 */
export async function openRefund(tx: Tx, payment: Payment, terms: RefundTerms): Promise<Refund> {
  const held = await setAsideForRefund(tx, payment.id, terms.amountMinor);
  if (held === undefined) throw exceeded(payment);
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
  await insertRefund(tx, refund);
  await setTimer(tx, { name: paymentTimerNames.refund, subject: refund.id, dueAt: tx.now });
  return refund;
}

/** Money in review goes back as it came, in the currency it came in. */
function currencyOf({ status, receivedCurrency, currency }: Payment): CurrencyCode {
  const came = status === "review" ? receivedCurrency : null;
  return came !== null && isCurrency(came) ? came : currency;
}

function exceeded(payment: Payment) {
  const leftMinor = refundableMinor(payment);
  return refundExceedsCaptured({
    detail: `${formatAmount(leftMinor, payment.currency)} ${payment.currency} can be refunded.`,
    members: { refundable_minor: leftMinor, currency: payment.currency },
  });
}
