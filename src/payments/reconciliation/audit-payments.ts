// Lookup: checks that orders, payments and refunds agree to the minor unit, and that what went back of a payment fits
// it. Reads rows in pages: the payments of a shop need not fit in memory.

import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import { findDisputesOfPayments } from "#payments/rows/dispute-queries.ts";
import type { Dispute } from "#payments/rows/dispute.ts";
import { findNamed } from "#payments/rows/gateway-queries.ts";
import { contributionOf, type Payment } from "#payments/rows/payment.ts";
import { findPaymentsOfOrder, paymentRowsAfter } from "#payments/rows/queries.ts";
import { findRefundsOfOrder, findRefundsOfPayments } from "#payments/rows/refund-queries.ts";
import { isExcess, isReturned, isSetAside, type Refund, sumOf } from "#payments/rows/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { auditPaidTotals, type MoneyTotals } from "#sales/history/audit-orders.ts";
import { addTotals, noPaidTotals } from "#sales/rows/balance.ts";

import { auditRefundedTaxes, auditRefunds } from "./audit-refunds.ts";

const PAGE_ROWS = 500;

/**
 * Yields every order whose paid or refunded total is not the sum of its payments, and every payment
 * whose refunds exceed what was captured or differ from its own figures, or that a gateway paid without a name, with
 * what `auditReturns`, `auditRefunds` and `auditRefundedTaxes` find.
 * The Reader must see one commit throughout.
 */
export async function* auditPayments(db: Reader): AsyncGenerator<Difference> {
  yield* auditPaidTotals(db, (orderId) => totalsOf(db, orderId));
  for (let after = ""; ;) {
    await nextTurn();
    const payments = await paymentRowsAfter(db, { after, rows: PAGE_ROWS });
    const ids = payments.map((payment) => payment.id);
    const ofPage = await findRefundsOfPayments(db, ids);
    const named = await findNamed(db, ids);
    const refunds = Map.groupBy(ofPage, (refund) => refund.paymentId);
    const disputes = await findDisputesOfPayments(db, ids);
    for (const payment of payments) {
      const ofPayment = refunds.get(payment.id) ?? [];
      yield* compare(payment, ofPayment);
      yield* auditReturns({
        payment,
        refunds: ofPayment,
        disputes: disputes.get(payment.id) ?? [],
      });
      if (!named.has(payment.id)) yield* nameless(payment);
      yield* auditRefunds(db, payment, ofPayment);
    }
    yield* auditRefundedTaxes(db, ofPage);
    after = payments.at(-1)?.id ?? after;
    if (payments.length < PAGE_ROWS) return;
  }
}

async function totalsOf(db: Reader, orderId: Id<"order">): Promise<MoneyTotals> {
  const payments = await findPaymentsOfOrder(db, orderId);
  const isRefunding = payments.some(({ refundingMinor }) => refundingMinor > 0);
  const refunds = isRefunding ? (await findRefundsOfOrder(db, orderId)).filter(isSetAside) : [];
  return {
    ...payments.map(contributionOf).reduce(addTotals, noPaidTotals),
    saleRefundingMinor: refunds.reduce((sum, { saleMinor }) => sum + saleMinor, 0),
    keptRefundingMinor: refunds.reduce((sum, { keptMinor }) => sum + keptMinor, 0),
  };
}

/** Money that a gateway received has a name there, by which a person can ask for it. */
function* nameless({ id: subject, gateway, receivedMinor }: Payment): Generator<Difference> {
  if (gateway === null || receivedMinor === null) return;
  yield { subject, what: `names at ${gateway}`, expected: "one or more", found: 0 };
}

function* compare(payment: Payment, refunds: readonly Refund[]): Generator<Difference> {
  const refundingMinor = sumOf(refunds.filter(isSetAside));
  // A refund out of review is in the currency that arrived, and counts as nothing in the payment's own.
  const returned = refunds.filter(
    (refund) => isReturned(refund) && refund.currency === payment.currency,
  );
  const refundedMinor = sumOf(returned);
  const subject = payment.id;
  if (refundedMinor !== payment.refundedMinor) {
    const found = payment.refundedMinor;
    yield { subject, what: "refunds that were given back", expected: refundedMinor, found };
  }
  if (refundingMinor !== payment.refundingMinor) {
    yield {
      subject,
      what: "refunds that did not fail",
      expected: refundingMinor,
      found: payment.refundingMinor,
    };
  }
  for (const { id, amountMinor, saleMinor, keptMinor } of refunds) {
    const found = saleMinor + keptMinor;
    const isWithin = Math.min(saleMinor, keptMinor) >= 0 && found <= amountMinor;
    const what = "parts of the refund";
    if (!isWithin) yield { subject: id, what, expected: `at most ${amountMinor}`, found };
  }
  const limitMinor = Math.max(payment.capturedMinor, payment.receivedMinor ?? 0);
  if (refundingMinor > limitMinor) {
    const expected = `at most ${limitMinor}`;
    yield { subject, what: "refunds against what was captured", expected, found: refundingMinor };
  }
}

interface Returns {
  readonly payment: Payment;
  /** All refunds and disputes of the payment. */
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
}

/**
 * Yields a payment of which more went back than came, by its refunds and lost disputes or as its gateway tells, and
 * each refund with another order or currency than its payment's, or with another one's name at their gateway. A
 * dispute and a later refund that both took the money are facts, which nothing keeps from being saved. A bank may
 * dispute the whole payment after a part of it was refunded, which is no fault of the shop.
 */
function* auditReturns(returns: Returns): Generator<Difference> {
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
