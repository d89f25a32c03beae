// Rules: whether what went back of a payment fits it: by its refunds, by lost disputes, and by its gateway. A dispute and
// a later refund that both took the money are facts, so that nothing keeps them from being saved, and the check finds
// them. A bank may dispute the whole payment after a part of it was refunded, which is no fault of the shop.

import type { Difference } from "#kernel/difference.ts";
import type { Dispute } from "#payments/disputes/dispute.ts";
import type { Payment } from "#payments/payments/payment.ts";
import { isExcess, isReturned, type Refund, sumOf } from "#payments/refunds/refund.ts";

interface Returns {
  readonly payment: Payment;
  /** All refunds and disputes of the payment. */
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
}

/**
 * Yields a payment of which more went back than came, by its refunds and lost disputes or as its gateway tells, and each
 * refund with another order or currency than its payment's, or with another one's name at their gateway.
 */
export function* auditReturns(returns: Returns): Generator<Difference> {
  yield* paidBackTwice(returns);
  yield* returnedTooMuch(returns);
  const { payment, refunds } = returns;
  for (const refund of refunds) {
    yield* foreign(payment, refund);
    yield* misnamed(returns, refund);
  }
}

/** The money of a dispute is gone while its gateway has it. */
function* paidBackTwice({ payment, refunds, disputes }: Returns): Generator<Difference> {
  const { id: subject, receivedMinor, receivedCurrency } = payment;
  const lost = disputes.filter(
    ({ money, currency }) => money === "withdrawn" && currency === receivedCurrency,
  );
  if (receivedMinor === null || lost.length === 0) return;
  const since = Math.min(...lost.map(({ createdAt }) => createdAt));
  const returned = refunds.filter(
    (one) =>
      isReturned(one) &&
      one.currency === receivedCurrency &&
      (one.succeededAt ?? one.closedAt ?? since) >= since,
  );
  const found = sumOf(returned) + lost.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (found <= receivedMinor) return;
  const what = "refunds and lost disputes";
  yield { subject, what, expected: `at most ${receivedMinor}`, found };
}

/** A gateway that gave back more than it received paid twice, and no person was told. */
function* returnedTooMuch({ payment, refunds }: Returns): Generator<Difference> {
  const { id: subject, gateway, receivedMinor, returnedMinor } = payment;
  if (gateway === null || receivedMinor === null) return;
  const mostMinor = receivedMinor + sumOf(refunds.filter(isExcess));
  if (returnedMinor <= mostMinor) return;
  const what = `money that went back at ${gateway}`;
  yield { subject, what, expected: `at most ${mostMinor}`, found: returnedMinor };
}

/** Money in review goes back in the currency in which it came. */
function* foreign(payment: Payment, { id: subject, ...refund }: Refund): Generator<Difference> {
  if (refund.orderId !== payment.orderId) {
    const expected = payment.orderId ?? "none";
    yield { subject, what: "order", expected, found: refund.orderId ?? "none" };
  }
  const { currency: expected, receivedCurrency } = payment;
  if (refund.currency !== expected && refund.currency !== receivedCurrency) {
    yield { subject, what: "currency", expected, found: refund.currency };
  }
}

/** The gateway's name leads to the refund alone, and to what went back with it beyond what was left. */
function* misnamed({ payment, refunds }: Returns, refund: Refund): Generator<Difference> {
  const { id: subject, gatewayRefundId: found } = refund;
  if (found === null || isExcess(refund)) return;
  const first = refunds.find((one) => one.gatewayRefundId === found);
  if (first?.id === subject) return;
  yield { subject, what: `name at ${payment.gateway}`, expected: "its own", found };
}
