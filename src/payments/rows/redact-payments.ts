// Story: removes a customer from their payments. The amounts stay.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { redacted } from "#platform/database/record.ts";
import {
  eachOf,
  redactAnswersOfEach,
  type RedactField,
  withoutPersonal,
} from "#platform/event-log/redaction.ts";

import { disputeRows, findDisputesOfPayments } from "./dispute-queries.ts";
import { findPaymentIdsOf, paymentRows } from "./queries.ts";
import { findRefundIdsOf, refundRows } from "./refund-queries.ts";
import { disputes, payments, refunds } from "./tables.ts";

const withoutPage: RedactField = (field, value) => (field === "authorization_url" ? null : value);

/** Redacts what a payment, its refunds and its disputes have of the payer, with the page of the gateway. */
export const withoutPayment = eachOf(withoutPersonal(payments, refunds, disputes), withoutPage);

/**
 * Removes what identifies the customer in their payments, and the notes of their refunds, whose stored answers do not name
 * them. The events are redacted by order.
 */
export async function redactPayments(tx: Tx, id: Id<"customer">): Promise<void> {
  const paymentIds = await findPaymentIdsOf(tx, id);
  for (const paymentId of paymentIds) {
    const payment = await paymentRows.lock(tx, paymentId);
    await paymentRows.save(tx, payment, redacted(payments, payment));
  }
  const refundIds = await findRefundIdsOf(tx, id);
  for (const refundId of refundIds) {
    const refund = await refundRows.lock(tx, refundId);
    const left = redacted(refunds, refund);
    if (!Bun.deepEquals(left, refund)) await refundRows.save(tx, refund, left);
  }
  for (const dispute of [...(await findDisputesOfPayments(tx, paymentIds)).values()].flat()) {
    const left = redacted(disputes, dispute);
    if (!Bun.deepEquals(left, dispute)) await disputeRows.save(tx, dispute, left);
  }
  await redactAnswersOfEach(tx, refundIds, withoutPayment);
}
