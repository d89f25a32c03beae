// Story: the merchant accepts money in review, which did not match the payment.

import type { Tx } from "#platform/database/database.ts";

import { advancePayment } from "./advance-payment.ts";
import { getPayment, lockPayment, type WholePayment } from "./lookups.ts";

/**
 * Afterwards the payment counts as paid, with the amount received. Where that amount is unknown or in
 * another currency, it counts with the amount requested. Refuses with `invalid_transition` outside of
 * `review`.
 */
export async function acceptPayment(tx: Tx, reference: string): Promise<WholePayment> {
  const locked = await lockPayment(tx, reference);
  const { receivedMinor, receivedCurrency, currency, amountMinor } = locked.payment;
  const isSame = receivedCurrency === currency && receivedMinor !== null && receivedMinor > 0;
  await advancePayment(tx, locked, {
    action: "accept",
    change: { capturedMinor: isSame ? receivedMinor : amountMinor, succeededAt: tx.now },
  });
  return getPayment(tx, locked.payment.id);
}
