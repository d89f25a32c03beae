// Workflow: an order is paid, so its other attempts are cancelled: a second payment would only be
// refunded. Safe to repeat.

import type { Id } from "#kernel/id.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { dueOf } from "#sales/orders/order.ts";

import { closeAttempts } from "./close-attempts.ts";

/** Afterwards no attempt of the order waits for the customer, unless an amount is due again. */
export async function settlePaidOrder(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  const { order } = await getOrder(shop.database.read, id);
  if (dueOf(order) === 0) await closeAttempts(shop, id);
}
