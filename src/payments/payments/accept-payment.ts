// Story: the merchant takes money that did not match.

import type { Tx } from "#platform/database/database.ts";

import { advancePayment } from "./advance-payment.ts";
import { getPayment, lockPayment, type WholePayment } from "./lookups.ts";

/**
 * Afterwards the payment counts: with what came, or, where another currency came or nobody learnt
 * what did, with what was asked for. Refuses with `invalid_transition` outside of `review`.
 */
export async function acceptPayment(tx: Tx, reference: string): Promise<WholePayment> {
  const held = await lockPayment(tx, reference);
  const { receivedMinor, receivedCurrency, currency, amountMinor } = held.payment;
  const isSame = receivedCurrency === currency && receivedMinor !== null && receivedMinor > 0;
  await advancePayment(tx, held, {
    action: "accept",
    change: { capturedMinor: isSame ? receivedMinor : amountMinor, succeededAt: tx.now },
  });
  return getPayment(tx, held.payment.id);
}
