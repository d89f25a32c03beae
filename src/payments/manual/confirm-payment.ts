// Story: the merchant confirms that money by hand arrived, such as cash or a transfer.

import type { CurrencyCode } from "#kernel/currency.ts";
import { readPositiveAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import { arrivedAs } from "#payments/gateways/payment-facts.ts";
import { getPayment, lockPayment, type WholePayment } from "#payments/payments/lookups.ts";
import { amountMismatch, paymentForbidden } from "#payments/payments/payment.ts";
import { settlePayment } from "#payments/payments/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

export interface Confirmation {
  /** The money that came, major units of the payment's currency. */
  readonly amount: number | string;
  /** The payment's currency if undefined. */
  readonly currency?: CurrencyCode;
  readonly mode: Mode;
}

/**
 * Afterwards the amount counts as paid, whatever was asked for and whatever became of the order since. Of a
 * cancelled order it has a refund that waits to be handed back.
 * A payment that is confirmed already with this amount is returned as it is. Refuses with
 * `validation_failed`, with `invalid_transition` for a gateway's payment, and with `amount_mismatch` for
 * another currency and for a second confirmation of another amount.
 */
export async function confirmPayment(
  tx: Tx,
  reference: string,
  { amount, currency: named, mode }: Confirmation,
): Promise<WholePayment> {
  const locked = await lockPayment(tx, reference);
  const { payment } = locked;
  const { currency } = payment;
  if (payment.gateway !== null) throw paymentForbidden(payment, "confirm");
  if (named !== undefined && named !== currency) throw amountMismatch();
  const faults = new Faults();
  const amountMinor = readPositiveAmount(amount, currency, { faults, pointer: "/amount" }) ?? 0;
  faults.refuseIfAny();
  if (payment.receivedMinor !== null && payment.receivedMinor !== amountMinor) {
    throw amountMismatch();
  }
  await settlePayment(tx, locked, {
    mode,
    outcome: arrivedAs(payment, { mode, amountMinor }),
  });
  return getPayment(tx, payment.id);
}
