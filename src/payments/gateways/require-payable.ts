// Rule: money is asked for only while its order takes money.

import { orderPaidAlready } from "#payments/payments/payment.ts";
import { dueOf } from "#sales/rows/balance.ts";
import { forbidden, type Order } from "#sales/rows/order.ts";

/** Returns true if the order takes money. */
export function isPayable(order: Order): boolean {
  return order.status !== "cancelled" && dueOf(order) > 0;
}

/** Refuses with `invalid_transition` an order that is cancelled, and with `order_paid` one that owes nothing. */
export function requirePayable(order: Order): void {
  if (order.status === "cancelled") throw forbidden(order, "pay");
  if (dueOf(order) === 0) throw orderPaidAlready({ members: { order_id: order.id } });
}
