// Story: what the gateway says of the money. Every path ends here: the payer's return, the gateway's
// notice, our poll, a GET. Invariant: a payment is settled once, whoever comes first, because the
// life table is asked of the payment that is held in the write that announces it.

import type { PaymentOutcome } from "#payments/gateways/port.ts";
import { openRefund } from "#payments/refunds/open-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { dueOf, type Order } from "#sales/orders/order.ts";

import { advancePayment } from "./advance-payment.ts";
import { type LockedPayment, lockPayment } from "./lookups.ts";
import { isLost, isOpen, NOT_FOUND, type Payment } from "./payment.ts";
import { savePayment } from "./save-payment.ts";

type Success = Extract<PaymentOutcome, { state: "succeeded" }>;

export interface Evidence {
  /** The mode of whoever asked. */
  readonly mode: Mode;
  readonly outcome: PaymentOutcome;
}

/**
 * Afterwards the payment says what the gateway said, if that is news. Money counts when reference,
 * mode and currency are equal and nothing is short; else the payment is in `review`. Money for an
 * order that is cancelled or paid already goes back, once.
 */
export async function settlePayment(
  tx: Tx,
  held: LockedPayment,
  { mode, outcome }: Evidence,
): Promise<LockedPayment> {
  const { payment } = held;
  switch (outcome.state) {
    case "succeeded":
      return isAbout(payment, { mode, outcome }) ? receive(tx, held, outcome) : held;
    case "failed":
      return fail(tx, held, outcome);
    case "pending":
      return isOpen(payment) ? wait(tx, held, outcome.gatewayId) : learn(tx, held);
    case "refunded":
      return doubt(tx, held);
    case "not_found":
      return miss(tx, held);
    case "unknown":
      return payment.isUnknown ? held : note(tx, held, { isUnknown: true });
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

/** What is learnt moves nothing. */
async function note(
  tx: Tx,
  { payment, order }: LockedPayment,
  change: Parameters<typeof savePayment>[2],
): Promise<LockedPayment> {
  return { payment: await savePayment(tx, payment, change), order };
}

async function receive(
  tx: Tx,
  held: LockedPayment,
  { amountMinor, currency, gatewayId }: Success,
): Promise<LockedPayment> {
  const { payment: before, order } = held;
  if (before.receivedMinor !== null) return held;
  const received = {
    ...decided,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
    gatewayId: gatewayId ?? before.gatewayId,
  };
  // In review a person decides; where one did before anything was known, the books have it already.
  const isDecided = before.status === "review" || before.succeededAt !== null;
  if (isDecided) return note(tx, held, received);
  if (currency !== before.currency || amountMinor < before.amountMinor) {
    return advancePayment(tx, held, { action: "doubt", change: received });
  }
  const after = await advancePayment(tx, held, {
    action: "succeed",
    change: {
      ...received,
      capturedMinor: amountMinor,
      succeededAt: tx.now,
      failureCode: null,
      gatewayCode: null,
    },
  });
  return order === null ? after : returnLate(tx, after, order);
}

/** Money for an order that asked for none any more, as it was before this came. */
async function returnLate(tx: Tx, held: LockedPayment, before: Order): Promise<LockedPayment> {
  const isCancelled = before.status === "cancelled";
  if (!isCancelled && dueOf(before) > 0) return held;
  await openRefund(tx, held.payment, {
    amountMinor: held.payment.capturedMinor,
    reason: isCancelled ? "order_cancelled" : "duplicate",
    isAutomatic: true,
  });
  return lockPayment(tx, held.payment.id);
}

/** It came and went back at the gateway: a person must look. */
async function doubt(tx: Tx, held: LockedPayment): Promise<LockedPayment> {
  if (!isOpen(held.payment)) return held;
  return advancePayment(tx, held, { action: "doubt", change: decided });
}

async function fail(
  tx: Tx,
  held: LockedPayment,
  { failureCode, gatewayCode, gatewayId }: Extract<PaymentOutcome, { state: "failed" }>,
): Promise<LockedPayment> {
  const { payment: before } = held;
  const isUndecided = before.status === "review" && before.receivedMinor === null;
  if (!isOpen(before) && !isUndecided) return learn(tx, held);
  const change = {
    ...decided,
    failureCode,
    gatewayCode,
    gatewayId: gatewayId ?? before.gatewayId,
  };
  return advancePayment(tx, held, { action: "fail", change });
}

/** What the gateway tells of a closed attempt moves nothing, but nobody need be asked about it. */
async function learn(tx: Tx, held: LockedPayment): Promise<LockedPayment> {
  return held.payment.isUnknown ? note(tx, held, { isUnknown: false }) : held;
}

async function wait(tx: Tx, held: LockedPayment, gatewayId: string | null): Promise<LockedPayment> {
  const { payment: before } = held;
  if (!isOpen(before)) return held;
  // A page whose address nobody got is not at work: the same key asks for another one.
  if (before.status === "pending" && before.method === "gateway") return held;
  const change = { isUnknown: false, notFoundLooks: 0, gatewayId: gatewayId ?? before.gatewayId };
  if (before.status === "pending") return advancePayment(tx, held, { action: "work", change });
  const isNews =
    before.isUnknown || before.notFoundLooks > 0 || before.gatewayId !== change.gatewayId;
  return isNews ? note(tx, held, change) : held;
}

async function miss(tx: Tx, held: LockedPayment): Promise<LockedPayment> {
  const { payment: before } = held;
  if (!isOpen(before)) return learn(tx, held);
  const missed = { ...before, notFoundLooks: before.notFoundLooks + 1 };
  const { notFoundLooks } = missed;
  if (!isLost(missed, tx.now)) return note(tx, held, { notFoundLooks });
  return advancePayment(tx, held, {
    action: "fail",
    change: {
      ...decided,
      notFoundLooks,
      failureCode: "provider_unavailable",
      gatewayCode: NOT_FOUND,
    },
  });
}
