// Story: a person is erased from their record, every cart, order and payment. What the books need stays.

import type { Customer } from "#customers/customer.ts";
import { eraseCustomer } from "#customers/erase-customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import type { Id } from "#kernel/id.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import { forgetPayer } from "#payments/payments/forget-payer.ts";
import type { Tx } from "#platform/database/database.ts";
import { redactAnswers } from "#platform/event-log/redaction.ts";
import { forgetCartBuyer } from "#sales/carts/forget-cart-buyer.ts";
import { withoutBuyer } from "#sales/orders/events.ts";
import { forgetOrderBuyer } from "#sales/orders/forget-order-buyer.ts";

/**
 * Afterwards nothing in the customer, their carts, orders and payments, the events of all of these or stored
 * answers says who it was; totals, lines, and the country and region where tax was due are as before. A
 * customer erased before is answered as they are. Refuses with `customer_not_found` and `stale_version`.
 */
export async function erasePerson(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<Customer> {
  const before = await lockCustomer(tx, id);
  const erased = await eraseCustomer(tx, id, expected);
  // An erased customer can place no order, so there is nothing left to do.
  if (before.erasedAt !== null) return erased;
  await forgetOrderBuyer(tx, id);
  await forgetCartBuyer(tx, before);
  await redactAnswers(tx, id, withoutBuyer(id));
  await forgetPayer(tx, id);
  return erased;
}
