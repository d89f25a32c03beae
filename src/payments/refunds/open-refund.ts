// Story: opens a refund. Invariant: one conditional write sets the amount aside, so the refunds of a
// payment never exceed what was captured.

import { newId } from "#kernel/id.ts";
import { formatAmount } from "#kernel/money.ts";
import type { LockedPayment } from "#payments/payments/lookups.ts";
import type { RefundedLine, RefundReason } from "#payments/payments/payment-life.ts";
import {
  isGatewayMethod,
  type Payment,
  paymentTimerNames,
  refundableMinor,
  refundCurrencyOf,
} from "#payments/payments/payment.ts";
import { refundRows, setAsideForRefund } from "#payments/payments/queries.ts";
import { recordOnOrder } from "#payments/reconciliation/record-on-order.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { type Refund, refundExceedsCaptured } from "./refund.ts";

export interface RefundTerms {
  readonly amountMinor: number;
  readonly reason: RefundReason;
  readonly note?: string | null;
  readonly lines?: readonly RefundedLine[];
  readonly isAutomatic?: boolean;
  /**
   * Whether the refund follows from another action. Money by hand is then given back by a person: the refund
   * waits until it is closed. A refund that is asked for by itself records that the money was handed over.
   */
  readonly isSideEffect?: boolean;
  readonly idempotent?: { readonly key: string; readonly fingerprint: string } | null;
}

export interface OpenedRefund {
  readonly refund: Refund;
  readonly locked: LockedPayment;
}

/**
 * Afterwards the refund is saved, its amount is set aside on the locked payment and order, and a timer that
 * is due now sends it unless the caller does. Refuses with `refund_exceeds_captured`.
 */
export async function openRefund(
  tx: Tx,
  { payment, order }: LockedPayment,
  terms: RefundTerms,
): Promise<OpenedRefund> {
  const updated = await setAsideForRefund(tx, payment.id, terms.amountMinor);
  if (updated === undefined) throw exceeded(payment);
  const refund = compose(tx, payment, terms);
  await refundRows.insert(tx, refund);
  if (refund.status === "pending") {
    await setTimer(tx, { name: paymentTimerNames.refund, subject: refund.id, dueAt: tx.now });
  }
  const change = { before: payment, after: updated };
  return {
    refund,
    locked: {
      payment: updated,
      order: order === null ? null : await recordOnOrder(tx, order, change),
    },
  };
}

function compose(tx: Tx, payment: Payment, terms: RefundTerms): Refund {
  const { note = null, lines = [], isAutomatic = false, idempotent = null } = terms;
  const isByHand = terms.isSideEffect === true && !isGatewayMethod(payment.method);
  return {
    id: newId("refund", tx.now),
    paymentId: payment.id,
    orderId: payment.orderId,
    status: isByHand ? "needs_attention" : "pending",
    amountMinor: terms.amountMinor,
    currency: refundCurrencyOf(payment),
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
}

function exceeded(payment: Payment) {
  const leftMinor = refundableMinor(payment);
  const currency = refundCurrencyOf(payment);
  return refundExceedsCaptured({
    detail: `Only ${formatAmount(leftMinor, currency)} ${currency} can be refunded.`,
    members: { refundable_minor: leftMinor, currency },
  });
}
