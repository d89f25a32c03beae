// Workflow: refunds an order. Commits the refunds, calls their gateways, commits the outcomes.

import type { Id } from "#kernel/id.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import type { OrderRefund, Refund } from "#payments/refunds/refund.ts";
import { sendRefund } from "#payments/refunds/send-refund.ts";
import { getOrder } from "#sales/orders/lookups.ts";

import { openOrderRefunds, type OrderRefundRequest } from "./open-order-refunds.ts";

/** Afterwards the refunds are saved and were sent to their gateways. Refuses as opening them does. */
export async function refundOrder(
  shop: PaymentsShop,
  id: Id<"order">,
  request: OrderRefundRequest,
): Promise<OrderRefund> {
  const { gateways } = shop;
  const opened = await shop.database.write((tx) =>
    openOrderRefunds(tx, id, { ...request, gateways }),
  );
  const refunds: Refund[] = [];
  for (const refund of opened) refunds.push(await sendRefund(shop, refund.id));
  return { order: await getOrder(shop.database.read, id), refunds };
}
