// The queues of gateways: work that calls a gateway runs beside the shop's other work, so that a slow gateway
// delays its own payments only.

import { isId } from "#kernel/id.ts";
import { isWatched, type Payment } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findPaymentRow, findPaymentsOfOrder } from "#payments/payments/queries.ts";
import { refundRows } from "#payments/refunds/queries.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Queue } from "#platform/scheduler/queues.ts";

/**
 * The queue of the gateway that work about a payment, a refund or an order calls; null if it calls none. An order
 * whose attempts are at several gateways waits for the first. An order expires after its payments were polled, so
 * work about one order runs one at a time.
 */
export async function gatewayQueueOf(
  { database, gateways, health }: Pick<PaymentsShop, "database" | "gateways" | "health">,
  subject: string,
): Promise<Queue | null> {
  const payment = await paymentOf(database.read, subject);
  if (payment === undefined || payment.gateway === null) return null;
  const { id, orderId, gateway } = payment;
  const { perMinute } = gateways.find((one) => one.id === gateway) ?? {};
  return { name: gateway, width: health.widthOf({ id: gateway, perMinute }), about: orderId ?? id };
}

async function paymentOf(db: Reader, subject: string): Promise<Payment | undefined> {
  if (isId("order", subject)) return (await findPaymentsOfOrder(db, subject)).find(isWatched);
  if (!isId("refund", subject)) return findPaymentRow(db, subject);
  const refund = await refundRows.find(db, subject);
  return refund === undefined ? undefined : findPaymentRow(db, refund.paymentId);
}
