// Lookup: checks that orders, payments and refunds agree to the minor unit. Reads rows in pages: the
// payments of a shop need not fit in memory.

import type { Difference } from "#kernel/difference.ts";
import { findDisputesOfPayments } from "#payments/disputes/queries.ts";
import { findNamed } from "#payments/gateways/queries.ts";
import { contributionOf, type Payment } from "#payments/payments/payment.ts";
import { findPaymentsOfOrder, paymentRowsAfter } from "#payments/payments/queries.ts";
import { findRefundsOfPayments } from "#payments/refunds/queries.ts";
import { isReturned, isSetAside, type Refund, sumOf } from "#payments/refunds/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { auditPaidTotals } from "#sales/history/audit-orders.ts";
import { addTotals, noPaidTotals, type PaidTotals } from "#sales/rows/balance.ts";

import { auditRefundedTaxes } from "./audit-refunded-taxes.ts";
import { auditRefunds } from "./audit-refunds.ts";
import { auditReturns } from "./audit-returns.ts";

const PAGE_ROWS = 500;

/**
 * Yields every order whose paid or refunded total is not the sum of its payments, and every payment
 * whose refunds exceed what was captured or differ from its own figures, or that a gateway paid without a name, with
 * what `auditReturns`, `auditRefunds` and `auditRefundedTaxes` find.
 * The Reader must see one commit throughout.
 */
export async function* auditPayments(db: Reader): AsyncGenerator<Difference> {
  yield* auditPaidTotals(db, async (orderId) => totalsOf(await findPaymentsOfOrder(db, orderId)));
  for (let after = ""; ;) {
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

function totalsOf(payments: readonly Payment[]): PaidTotals {
  return payments.map(contributionOf).reduce(addTotals, noPaidTotals);
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
  const limitMinor = Math.max(payment.capturedMinor, payment.receivedMinor ?? 0);
  if (refundingMinor > limitMinor) {
    const expected = `at most ${limitMinor}`;
    yield { subject, what: "refunds against what was captured", expected, found: refundingMinor };
  }
}
