// Story: a customer is erased from their record, every cart, order and payment. What the books need stays.

import type { Customer } from "#customers/customer.ts";
import { forgetCustomer } from "#customers/forget-customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import type { Id } from "#kernel/id.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import { redactPayments } from "#payments/payments/redact-payments.ts";
import type { Tx } from "#platform/database/database.ts";
import { redactAnswers } from "#platform/event-log/redaction.ts";
import { redactCarts } from "#sales/carts/redact-carts.ts";
import { withoutOrderCustomer } from "#sales/orders/events.ts";
import { redactOrders } from "#sales/orders/redact-orders.ts";

/**
 * Afterwards nothing in the customer, their carts, orders and payments, the events of all of these or stored
 * answers says who it was; totals, lines, and the country and region where tax was due are as before. A
 * customer erased before is answered as they are. Refuses with `customer_not_found` and `stale_version`.
 */
export async function eraseCustomer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<Customer> {
  const before = await lockCustomer(tx, id);
  const erased = await forgetCustomer(tx, id, expected);
  // An erased customer can place no order, so there is nothing left to do.
  if (before.erasedAt !== null) return erased;
  await redactOrders(tx, id);
  await redactCarts(tx, before);
  await redactAnswers(tx, id, withoutOrderCustomer(id));
  await redactPayments(tx, id);
  return erased;
}
