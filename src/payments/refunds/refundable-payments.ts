// Lookup: the payments of an order that can be refunded.

import { type Payment, refundableMinor } from "#payments/payments/payment.ts";
import { findPaymentsOfOrder } from "#payments/payments/queries.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Order } from "#sales/orders/order.ts";

/** The payments in the order in which they are refunded: gateways' first, newest first. Not those in review. */
export async function refundablePayments(db: Reader, orderId: Order["id"]): Promise<Payment[]> {
  const payments = (await findPaymentsOfOrder(db, orderId))
    .filter((payment) => payment.status !== "review" && refundableMinor(payment) > 0)
    .toReversed();
  const byGateway = payments.filter(({ gateway }) => gateway !== null);
  const byHand = payments.filter(({ gateway }) => gateway === null);
  return [...byGateway, ...byHand];
}
