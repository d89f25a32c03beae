// Story: applies a gateway's outcome to a refund. Every path ends here. Invariant: a refund is settled
// once; payment, order and `order.refunded` are written in the same transaction.

import type { Id } from "#kernel/id.ts";
import type { RefundOutcome } from "#payments/gateways/port.ts";
import { advancePayment } from "#payments/payments/advance-payment.ts";
import { moneyReturned } from "#payments/payments/events.ts";
import type { LockedPayment } from "#payments/payments/lookups.ts";
import type { RefundAction } from "#payments/payments/payment-life.ts";
import { findRefundsOfOrder, paymentRows } from "#payments/payments/queries.ts";
import { recordOnOrder } from "#payments/reconciliation/record-on-order.ts";
import type { Tx } from "#platform/database/database.ts";
import { getOrder } from "#sales/orders/lookups.ts";

import { advanceRefund } from "./advance-refund.ts";
import { lockRefund } from "./lock-refund.ts";
import { isRefundOpen, type Refund } from "./refund.ts";

/** Afterwards an open refund says what the gateway reported; a failed one frees its amount. */
export async function settleRefund(
  tx: Tx,
  id: Id<"refund">,
  outcome: RefundOutcome,
): Promise<Refund> {
  const { refund: before, locked } = await lockRefund(tx, id);
  if (!isRefundOpen(before)) return before;
  const refund = await advanceRefund(tx, before, {
    action: actionOf(before, outcome),
    change: {
      ...changeOf(before, outcome),
      ...(outcome.kind === "succeeded" ? { succeededAt: tx.now } : {}),
    },
  });
  if (refund.status === "failed") await freeAmount(tx, locked, refund);
  if (refund.status === "succeeded") await recordRefund(tx, locked, refund);
  return refund;
}

function actionOf(before: Refund, outcome: RefundOutcome): RefundAction | null {
  switch (outcome.kind) {
    case "succeeded":
      return "succeed";
    case "failed":
      return "fail";
    case "needs_attention":
      return "stop";
    case "processing":
      return "work";
    case "pending":
      return before.status === "pending" ? null : "work";
    case "not_found":
    case "unknown":
      return null;
  }
}

function changeOf(before: Refund, outcome: RefundOutcome): Partial<Refund> {
  if (!("gatewayRefundId" in outcome)) return { isUnknown: true };
  return {
    isUnknown: false,
    gatewayRefundId: outcome.gatewayRefundId ?? before.gatewayRefundId,
    ...("gatewayCode" in outcome ? { gatewayCode: outcome.gatewayCode } : {}),
  };
}

async function recordRefund(tx: Tx, locked: LockedPayment, refund: Refund): Promise<void> {
  const { payment: before } = locked;
  const isCounted = refund.currency === before.currency;
  const refundedMinor = before.refundedMinor + (isCounted ? refund.amountMinor : 0);
  const isWhole = before.status === "review" || refundedMinor === before.capturedMinor;
  await advancePayment(tx, locked, {
    action: isWhole ? "refund" : "refund_part",
    change: { refundedMinor },
  });
  if (refund.orderId === null) return;
  const { order } = await getOrder(tx, refund.orderId);
  const all = await findRefundsOfOrder(tx, refund.orderId);
  await tx.emit(moneyReturned(order, { refund, all }));
}

/** The amount of a failed refund can be refunded again. */
async function freeAmount(tx: Tx, { payment, order }: LockedPayment, refund: Refund) {
  const refundingMinor = payment.refundingMinor - refund.amountMinor;
  const after = await paymentRows.save(tx, payment, { refundingMinor });
  if (order !== null) await recordOnOrder(tx, order, { before: payment, after });
}
