// Workflow: an order is paid. Whoever still pays, in another window or on another phone, would only get it
// back, so what else was tried is called off. May be repeated.

import type { Id } from "#kernel/id.ts";
import type { Cashier } from "#payments/payments/cashier.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import { dueOf } from "#sales/orders/order.ts";

import { closeAttempts } from "./close-attempts.ts";

/** Afterwards no attempt of the order waits for its payer, unless something is due again by now. */
export async function settlePaidOrder(cashier: Cashier, id: Id<"order">): Promise<void> {
  const { order } = await findOrder(cashier.database.read, id);
  if (dueOf(order) === 0) await closeAttempts(cashier, id);
}
