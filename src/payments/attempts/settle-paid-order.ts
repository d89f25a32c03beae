// Workflow: an order is paid. Whoever still pays, in another window or on another phone, would only get it
// back, so what else was tried is called off. May be repeated.

import type { Id } from "#kernel/id.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { dueOf } from "#sales/orders/order.ts";

import { closeAttempts } from "./close-attempts.ts";

/** Afterwards no attempt of the order waits for its payer, unless something is due again by now. */
export async function settlePaidOrder(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  const { order } = await getOrder(shop.database.read, id);
  if (dueOf(order) === 0) await closeAttempts(shop, id);
}
