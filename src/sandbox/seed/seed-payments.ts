// Stories: the payments of seeded sales. A charge is saved at the simulated gateway as if it had
// received it, in the same transaction: a later poll or refund finds what the shop already knows.

import type { Id } from "#kernel/id.ts";
import { formatAmount } from "#kernel/money.ts";
import { confirmPayment } from "#payments/attempts/manual-payments.ts";
import { openAttempt } from "#payments/attempts/open-attempt.ts";
import { type PaymentRequest, plainPayment } from "#payments/attempts/payment-request.ts";
import { recordInitiation } from "#payments/attempts/record-initiation.ts";
import type { GatewayRules } from "#payments/port/gateway.ts";
import { attemptOf } from "#payments/port/payments-shop.ts";
import { getPayment, lockPayment } from "#payments/rows/lookups.ts";
import type { RefundedLine, RefundReason } from "#payments/rows/payment-life.ts";
import { gatewayReferenceOf } from "#payments/rows/payment.ts";
import { tryReferenceOf } from "#payments/rows/refund.ts";
import { openRefund } from "#payments/settling/open-refund.ts";
import { settlePayment } from "#payments/settling/settle-payment.ts";
import { settleRefund } from "#payments/settling/settle-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import {
  answerOf,
  newCharge,
  outcomeOf,
  playRefund,
  toRefundOutcome,
} from "#sandbox/simulated-gateway/charge.ts";
import { magicBook } from "#sandbox/simulated-gateway/magic.ts";
import { arriveCharge, findCharge, insertCharge } from "#sandbox/simulated-gateway/queries.ts";

/** The rules of the simulated gateway; its calls have no counterpart inside a transaction. */
export const simulatedRules: GatewayRules = {
  id: "simulated",
  methods: ["mobile_money", "card"],
  standing: "open",
  newReference: gatewayReferenceOf,
  takes: () => ({ multipleMinor: 1, minimumMinor: 1, maximumMinor: null }),
  validate: () => [],
};

type ChargeTerms = Partial<PaymentRequest> & {
  readonly orderId: Id<"order">;
  readonly method: "mobile_money" | "card";
};

/** Afterwards the order has one more attempt, and the gateway has received and answered it. */
export async function startCharge(tx: Tx, terms: ChargeTerms): Promise<Id<"payment">> {
  const request = { ...plainPayment, ...terms };
  const gateways = [simulatedRules];
  const { payment: sent } = await openAttempt(tx, {
    request,
    gateways,
    idempotent: null,
    mode: "test",
  });
  const { phone, cardToken } = request;
  const script = phone === null ? magicBook.ofCard(cardToken ?? "") : magicBook.ofPhone(phone);
  await insertCharge(tx, newCharge(attemptOf(sent), script ?? magicBook.ofPage));
  const charge = await arriveCharge(tx, attemptOf(sent).gatewayReference);
  if (charge === undefined) throw new Error("A new charge arrives once.");
  const initiation = answerOf(charge, { now: tx.now, pageUrl: () => "" });
  await recordInitiation(tx, { sent, initiation, mode: "test" });
  return sent.id;
}

/** Afterwards the payment is what the gateway made of it by now. */
export async function settleCharge(tx: Tx, id: Id<"payment">): Promise<void> {
  const locked = await lockPayment(tx, id);
  const charge = await findCharge(tx, attemptOf(locked.payment).gatewayReference);
  if (charge === undefined) throw new Error(`The gateway does not know ${id}.`);
  await settlePayment(tx, locked, { mode: "test", outcome: outcomeOf(charge, { now: tx.now }) });
}

/** Afterwards the order waits for the merchant to confirm cash or a transfer over the amount due. */
export async function announcePayment(tx: Tx, orderId: Id<"order">): Promise<Id<"payment">> {
  const request = { ...plainPayment, orderId, method: undefined };
  const { payment } = await openAttempt(tx, {
    request,
    gateways: [],
    idempotent: null,
    mode: "test",
  });
  return payment.id;
}

/** Afterwards the merchant has confirmed the payment. */
export async function confirmPaid(tx: Tx, id: Id<"payment">): Promise<void> {
  const { amountMinor, currency } = (await getPayment(tx, id)).payment;
  const amount = formatAmount(amountMinor, currency);
  await confirmPayment(tx, id, { amount, currency, mode: "test" });
}

export interface PaidRefund {
  readonly reason: RefundReason;
  readonly lines: readonly RefundedLine[];
  /** All that was captured if undefined. */
  readonly amountMinor?: number;
}

/** Afterwards the payment is refunded, in full or in part, at its gateway too. */
export async function refundPaid(
  tx: Tx,
  paymentId: Id<"payment">,
  { reason, lines, amountMinor }: PaidRefund,
): Promise<void> {
  const locked = await lockPayment(tx, paymentId);
  const { payment } = locked;
  const whole = { amountMinor: amountMinor ?? payment.capturedMinor, reason, lines };
  const { id, ...refund } = (await openRefund(tx, locked, whole)).refund;
  const outcome =
    payment.gateway === null
      ? ({ kind: "succeeded", gatewayRefundId: null } as const)
      : toRefundOutcome(
          await playRefund(tx, {
            ...refund,
            refundId: id,
            reference: tryReferenceOf({ id, ...refund }),
            attempt: attemptOf(payment),
            wasAsked: false,
          }),
        );
  await settleRefund(tx, id, outcome);
}
