// Story: what the gateway says of the money. Every path ends here: the payer's return, the gateway's
// notice, our poll, a GET. Invariant: a payment is settled once, whoever comes first, because the
// life table and the version are asked in the write that announces it.

import type { Id } from "#kernel/id.ts";
import { findOrder } from "#orders/find-order.ts";
import { dueOf, type Order } from "#orders/order.ts";
import type { Mode, Tx } from "#platform/store/store.ts";

import { advancePayment } from "./advance-payment.ts";
import { findPayment } from "./find-payment.ts";
import type { Outcome } from "./gateways/port.ts";
import { keepPayment } from "./keep-payment.ts";
import { openRefund } from "./open-refund.ts";
import { isLost, isOpen, NOT_FOUND, type Payment } from "./payment.ts";

type Success = Extract<Outcome, { state: "succeeded" }>;

export interface Evidence {
  /** The mode of whoever asked. */
  readonly mode: Mode;
  readonly outcome: Outcome;
}

/**
 * Afterwards the payment says what the gateway said, if that is news. Money counts when reference,
 * mode and currency are equal and nothing is short; else the payment is in `review`. Money for an
 * order that is cancelled or paid already goes back, once.
 */
export async function settlePayment(
  tx: Tx,
  id: Id<"payment">,
  { mode, outcome }: Evidence,
): Promise<Payment> {
  const { payment } = await findPayment(tx, id);
  switch (outcome.state) {
    case "succeeded":
      return isAbout(payment, { mode, outcome }) ? receive(tx, payment, outcome) : payment;
    case "failed":
      return fail(tx, payment, outcome);
    case "pending":
      return isOpen(payment) ? wait(tx, payment, outcome.gatewayId) : learn(tx, payment);
    case "refunded":
      return doubt(tx, payment);
    case "not_found":
      return miss(tx, payment);
    case "unknown":
      return payment.isUnknown ? payment : keepPayment(tx, payment, { isUnknown: true });
  }
}

/** A person's word has no reference but the payment's own. */
function isAbout(
  { id, gatewayReference }: Payment,
  { mode, outcome }: { readonly mode: Mode; readonly outcome: Success },
): boolean {
  return outcome.mode === mode && outcome.gatewayReference === (gatewayReference ?? id);
}

const decided = { isUnknown: false, nextAction: null } as const;

async function receive(
  tx: Tx,
  before: Payment,
  { amountMinor, currency, gatewayId }: Success,
): Promise<Payment> {
  if (before.receivedMinor !== null) return before;
  const received = {
    ...decided,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
    gatewayId: gatewayId ?? before.gatewayId,
  };
  // In review a person decides; where one did before anything was known, the books have it already.
  const isDecided = before.status === "review" || before.succeededAt !== null;
  if (isDecided) return keepPayment(tx, before, received);
  if (currency !== before.currency || amountMinor < before.amountMinor) {
    return advancePayment(tx, before, { action: "doubt", change: received });
  }
  const order = before.orderId === null ? null : (await findOrder(tx, before.orderId)).order;
  const payment = await advancePayment(tx, before, {
    action: "succeed",
    change: {
      ...received,
      capturedMinor: amountMinor,
      succeededAt: tx.now,
      failureCode: null,
      gatewayCode: null,
    },
  });
  return order === null ? payment : returnLate(tx, payment, order);
}

/** Money for an order that asked for none any more, as it was before this came. */
async function returnLate(tx: Tx, payment: Payment, order: Order): Promise<Payment> {
  const isCancelled = order.status === "cancelled";
  if (!isCancelled && dueOf(order) > 0) return payment;
  await openRefund(tx, payment, {
    amountMinor: payment.capturedMinor,
    reason: isCancelled ? "order_cancelled" : "duplicate",
    isAutomatic: true,
  });
  return (await findPayment(tx, payment.id)).payment;
}

/** It came and went back at the gateway: a person must look. */
async function doubt(tx: Tx, before: Payment): Promise<Payment> {
  return isOpen(before) ? advancePayment(tx, before, { action: "doubt", change: decided }) : before;
}

async function fail(
  tx: Tx,
  before: Payment,
  { failureCode, gatewayCode, gatewayId }: Extract<Outcome, { state: "failed" }>,
): Promise<Payment> {
  const isUndecided = before.status === "review" && before.receivedMinor === null;
  if (!isOpen(before) && !isUndecided) return learn(tx, before);
  const change = {
    ...decided,
    failureCode,
    gatewayCode,
    gatewayId: gatewayId ?? before.gatewayId,
  };
  return advancePayment(tx, before, { action: "fail", change });
}

/** What the gateway tells of a closed attempt moves nothing, but nobody need be asked about it. */
async function learn(tx: Tx, before: Payment): Promise<Payment> {
  return before.isUnknown ? keepPayment(tx, before, { isUnknown: false }) : before;
}

async function wait(tx: Tx, before: Payment, gatewayId: string | null): Promise<Payment> {
  if (!isOpen(before)) return before;
  // A page whose address nobody got is not at work: the same key asks for another one.
  if (before.status === "pending" && before.method === "gateway") return before;
  const change = { isUnknown: false, notFoundLooks: 0, gatewayId: gatewayId ?? before.gatewayId };
  if (before.status === "pending") return advancePayment(tx, before, { action: "work", change });
  const isNews =
    before.isUnknown || before.notFoundLooks > 0 || before.gatewayId !== change.gatewayId;
  return isNews ? keepPayment(tx, before, change) : before;
}

async function miss(tx: Tx, before: Payment): Promise<Payment> {
  if (!isOpen(before)) return learn(tx, before);
  const missed = { ...before, notFoundLooks: before.notFoundLooks + 1 };
  const { notFoundLooks } = missed;
  if (!isLost(missed, tx.now)) return keepPayment(tx, before, { notFoundLooks });
  return advancePayment(tx, before, {
    action: "fail",
    change: {
      ...decided,
      notFoundLooks,
      failureCode: "provider_unavailable",
      gatewayCode: NOT_FOUND,
    },
  });
}
