// Story: opens a refund.

import { newId } from "#kernel/id.ts";
import type { LockedPayment, LockedRefund } from "#payments/rows/lookups.ts";
import type { RefundedLine, RefundedTax, RefundReason } from "#payments/rows/payment-life.ts";
import {
  isConverted,
  type Payment,
  paymentTimerNames,
  refundCurrencyOf,
} from "#payments/rows/payment.ts";
import { refundRows } from "#payments/rows/refund-queries.ts";
import { APPROVAL_MS, EXCEEDS_CAPTURED, isExcess, type Refund } from "#payments/rows/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { type IdempotentRequest, NO_LINEAGE } from "#platform/http/contract/idempotent.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { noParts, type TaxedParts } from "#sales/rows/balance.ts";

import { advanceRefund, setAside } from "./advance-refund.ts";
import { partsOf, taxesToRefund } from "./refund-taxes.ts";

export interface RefundTerms {
  readonly amountMinor: number;
  readonly reason: RefundReason;
  readonly note?: string | null;
  readonly lines?: readonly RefundedLine[];
  /** The shipping, with its tax, that is in the amount. */
  readonly shippingMinor?: number;
  /** The part of the amount that is for units and shipping which the request named. */
  readonly namedMinor?: number;
  /** The taxes in the amount; computed from what is left of the sale if undefined. */
  readonly taxes?: readonly RefundedTax[];
  readonly isAutomatic?: boolean;
  /** The gateway's id of a refund that was made there. It is never sent. */
  readonly gatewayRefundId?: string | null;
  /** True if the gateway gave it back beyond what was left of the payment. */
  readonly isExcess?: boolean;
  /**
   * True if the refund follows from another action. Money by hand is then given back by a person: the refund
   * waits until it is closed. A refund that is asked for by itself records that the money was handed over.
   */
  readonly isSideEffect?: boolean;
  readonly idempotent?: IdempotentRequest | null;
  /** The lineage of who gives it back; nothing if the shop does by itself. */
  readonly actorId?: string | null;
  /** True if it is above the limit of who gives it back: someone else approves it first. */
  readonly needsApproval?: boolean;
}

/**
 * Afterwards the refund is saved, its amount is set aside on the locked payment and order, and a timer that
 * is due now sends it unless the caller does. Money by hand that goes back as a side effect, and money of
 * another currency, needs attention instead; what is above the limit of its asker waits for an approval; a refund that the gateway made is in process. An excess is not set aside,
 * and a person is called for it. Refuses with `refund_exceeds_captured`.
 */
export async function openRefund(
  tx: Tx,
  locked: LockedPayment,
  terms: RefundTerms,
): Promise<LockedRefund> {
  const { payment } = locked;
  const { amountMinor, namedMinor = 0 } = terms;
  const parts = terms.isExcess === true ? noParts : partsOf(locked, { amountMinor, namedMinor });
  const taxes = terms.taxes ?? (await taxesToRefund(tx, locked.order, parts));
  const refund = { ...compose(tx, payment, { ...terms, taxes }), ...parts };
  const isBeside = isExcess(refund);
  const opened = { refund, locked: isBeside ? locked : await setAside(tx, locked, refund) };
  await refundRows.insert(tx, refund);
  if (isBeside) {
    return advanceRefund(tx, opened, { action: "stop", change: {}, attention: "paid_twice" });
  }
  if (refund.isExternal) return advanceRefund(tx, opened, { action: "work", change: {} });
  if (terms.needsApproval === true) return setUndecided(tx, opened);
  if (isHandedBack(payment, terms)) {
    return advanceRefund(tx, opened, { action: "stop", change: {}, attention: "by_hand" });
  }
  await setTimer(tx, { name: paymentTimerNames.refund, subject: refund.id, dueAt: tx.now });
  return opened;
}

/** Afterwards the opened refund waits for an approval; after fourteen days without one a timer cancels it. */
async function setUndecided(tx: Tx, opened: LockedRefund): Promise<LockedRefund> {
  const dueAt = tx.now + APPROVAL_MS;
  await setTimer(tx, { name: paymentTimerNames.approval, subject: opened.refund.id, dueAt });
  return advanceRefund(tx, opened, { action: "ask", change: { approval: "asked" } });
}

/** Returns true if a person gives the money back and closes the refund then. */
function isHandedBack(payment: Payment, { isSideEffect = false }: RefundTerms): boolean {
  return payment.gateway === null ? isSideEffect : isConverted(payment);
}

/** The request's members of a refund that the shop itself opens. */
const notAsked = { lineage: NO_LINEAGE, key: null, fingerprint: null };

/** The members that later acts set. */
const untouched = {
  attention: null,
  askedAt: null,
  missedAt: null,
  isUnknown: false,
  retriedAt: null,
  reopenedAt: null,
  approval: null,
  succeededAt: null,
  closedAt: null,
  closeNote: null,
  givenBy: null,
} as const;

function compose(tx: Tx, payment: Payment, terms: RefundTerms): Omit<Refund, keyof TaxedParts> {
  const { note = null, lines = [], isAutomatic = false, idempotent } = terms;
  const { shippingMinor = 0, namedMinor = 0, taxes = [], gatewayRefundId = null } = terms;
  const { lineage, key, fingerprint } = idempotent ?? notAsked;
  const { actorId } = { actorId: null, ...terms };
  return {
    id: newId("refund", tx.now),
    paymentId: payment.id,
    orderId: payment.orderId,
    status: "pending",
    amountMinor: terms.amountMinor,
    currency: refundCurrencyOf(payment),
    reason: terms.reason,
    note,
    lines,
    shippingMinor,
    namedMinor,
    taxes,
    isAutomatic,
    isExternal: gatewayRefundId !== null,
    gatewayRefundId,
    gatewayCode: terms.isExcess === true ? EXCEEDS_CAPTURED : null,
    lineage,
    idempotencyKey: key,
    fingerprint,
    actorId,
    ...untouched,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
}
