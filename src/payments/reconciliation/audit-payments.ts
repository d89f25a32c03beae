// Lookup: checks that orders, payments and refunds agree to the minor unit. Reads rows in pages: the
// payments of a shop need not fit in memory.

import type { Difference } from "#kernel/difference.ts";
import { contributionOf, type Payment } from "#payments/payments/payment.ts";
import { findPaymentsOfOrder, paymentRowsAfter } from "#payments/payments/queries.ts";
import { findRefundsOfPayments } from "#payments/refunds/queries.ts";
import type { Refund } from "#payments/refunds/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { auditPaidTotals } from "#sales/history/audit-paid-totals.ts";

const PAGE_ROWS = 500;

/**
 * Yields every order whose paid or refunded total is not the sum of its payments, and every payment
 * whose refunds exceed what was captured or differ from its own figure. The Reader must see one commit
 * throughout.
 */
export async function* auditPayments(db: Reader): AsyncGenerator<Difference> {
  yield* auditPaidTotals(db, async (orderId) => totalsOf(await findPaymentsOfOrder(db, orderId)));
  for (let after = ""; ;) {
    const payments = await paymentRowsAfter(db, { after, rows: PAGE_ROWS });
    const refunds = Map.groupBy(
      await findRefundsOfPayments(
        db,
        payments.map((payment) => payment.id),
      ),
      (refund) => refund.paymentId,
    );
    for (const payment of payments) yield* compare(payment, refunds.get(payment.id) ?? []);
    after = payments.at(-1)?.id ?? after;
    if (payments.length < PAGE_ROWS) return;
  }
}

function totalsOf(payments: readonly Payment[]) {
  const totals = {
    paidMinor: 0,
    refundingMinor: 0,
    refundedMinor: 0,
    openAttempts: 0,
    paymentsInReview: 0,
  };
  for (const payment of payments) {
    const added = contributionOf(payment);
    totals.paidMinor += added.paidMinor;
    totals.refundingMinor += added.refundingMinor;
    totals.refundedMinor += added.refundedMinor;
    totals.openAttempts += added.openAttempts;
    totals.paymentsInReview += added.paymentsInReview;
  }
  return totals;
}

function* compare(payment: Payment, refunds: readonly Refund[]): Generator<Difference> {
  const kept = refunds.filter((refund) => refund.status !== "failed");
  const refundingMinor = kept.reduce((sum, refund) => sum + refund.amountMinor, 0);
  const subject = payment.id;
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
