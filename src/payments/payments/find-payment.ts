// Lookup: one payment with its refunds.

import type { Refund } from "#payments/refunds/refund.ts";
import type { Reader } from "#platform/database/store.ts";

import { type Payment, paymentNotFound } from "./payment.ts";
import { findPaymentRow, findRefundsOfPayments } from "./queries.ts";

/** A payment with everything that belongs to it. */
export interface WholePayment {
  readonly payment: Payment;
  readonly refunds: readonly Refund[];
}

/** The payment of this reference, or with this id. Refuses with `payment_not_found`. */
export async function findPayment(db: Reader, reference: string): Promise<WholePayment> {
  const payment = await findPaymentRow(db, reference);
  if (payment === undefined) throw paymentNotFound();
  return { payment, refunds: await findRefundsOfPayments(db, [payment.id]) };
}
