// Story: delete a customer without orders.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { customerHasOrders } from "./customer.ts";
import { lockCustomer } from "./lookups.ts";
import { dropCustomer } from "./queries.ts";
import { redactCustomer } from "./redact-customer.ts";

/**
 * Deletes the customer and redacts its events and stored answers, since it cannot be erased later.
 * Refuses with `customer_not_found`, `stale_version` and `customer_has_orders`.
 */
export async function removeCustomer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<undefined> {
  const customer = await lockCustomer(tx, id);
  requireVersion(customer.version, expected);
  if (!(await dropCustomer(tx, id))) throw customerHasOrders();
  await redactCustomer(tx, id);
}
