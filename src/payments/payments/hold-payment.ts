// Lookup: a payment that a story decides on, held until its transaction ends. Invariant: its order is
// held before it, so that who comes from the order and who comes from the payment never wait for each
// other; a payment without an order is the root of what belongs to it.

import type { Tx } from "#platform/database/store.ts";
import { holdOrder } from "#sales/orders/hold-order.ts";
import type { Order } from "#sales/orders/order.ts";

import { type Payment, paymentNotFound } from "./payment.ts";
import { findPaymentRow, holdPaymentRows } from "./queries.ts";

/** A payment and its order, which nobody else changes until the transaction ends. */
export interface HeldPayment {
  readonly payment: Payment;
  /** Null for a payment link. */
  readonly order: Order | null;
}

/** The payment of this reference, or with this id. Refuses with `payment_not_found`. */
export async function holdPayment(tx: Tx, reference: string): Promise<HeldPayment> {
  const seen = await findPaymentRow(tx, reference);
  if (seen === undefined) throw paymentNotFound();
  const order = seen.orderId === null ? null : await holdOrder(tx, seen.orderId);
  // Whoever was faster may have changed it while we waited.
  const [payment] = await holdPaymentRows(tx, { id: seen.id });
  if (payment === undefined) throw paymentNotFound();
  return { payment, order };
}
