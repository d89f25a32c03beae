// Lookup: an order with everything that was done to pay it.

import type { Id } from "#kernel/id.ts";
import { listAttempts } from "#payments/payments/lookups.ts";
import type { Payment } from "#payments/payments/payment.ts";
import type { Reader } from "#platform/database/database.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import type { WholeOrder } from "#sales/orders/order.ts";

export interface OrderToPay {
  readonly kind: "order";
  readonly whole: WholeOrder;
  /** All attempts to pay the order, oldest first. */
  readonly payments: readonly Payment[];
}

/** Returns the order with its payments. Refuses with `order_not_found`. */
export async function getOrderToPay(db: Reader, id: Id<"order">): Promise<OrderToPay> {
  return { kind: "order", whole: await getOrder(db, id), payments: await listAttempts(db, id) };
}
