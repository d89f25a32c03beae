// Story: sets the amount of a refund aside on its payment. Invariant: one conditional write does it, so the
// refunds of a payment never exceed what was captured.

import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";
import type { LockedPayment } from "#payments/payments/lookups.ts";
import { refundableMinor, refundCurrencyOf } from "#payments/payments/payment.ts";
import { setAsideForRefund } from "#payments/payments/queries.ts";
import { recordOnOrder } from "#payments/payments/record-on-order.ts";
import type { Tx } from "#platform/database/database.ts";

import { refundExceedsCaptured } from "./refund.ts";

interface Share {
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
}

/**
 * Afterwards the locked payment and its order hold the amount back for a refund. Refuses with
 * `refund_exceeds_captured`, also for a currency in which the payment is not refunded.
 */
export async function setAside(
  tx: Tx,
  { payment: before, order }: LockedPayment,
  { amountMinor, currency }: Share,
): Promise<LockedPayment> {
  const payment =
    currency === refundCurrencyOf(before)
      ? await setAsideForRefund(tx, before.id, amountMinor)
      : undefined;
  if (payment === undefined) {
    const leftMinor = refundableMinor(before);
    const left = refundCurrencyOf(before);
    throw refundExceedsCaptured({
      detail: `Only ${formatAmount(leftMinor, left)} ${left} can be refunded.`,
      members: { refundable_minor: leftMinor, currency: left },
    });
  }
  if (order === null) return { payment, order };
  return { payment, order: await recordOnOrder(tx, order, { before, after: payment }) };
}
