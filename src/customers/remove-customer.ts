// Story: a customer who never ordered is removed.

import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";

import { customerHasOrders } from "./customer.ts";
import { lockCustomer } from "./lookups.ts";
import { dropCustomer } from "./queries.ts";
import { redactCustomer } from "./redact-customer.ts";

/**
 * Afterwards the customer is gone and so is the customer from events and stored answers: nobody could
 * erase them later. Refuses with `stale_version` and `customer_has_orders`.
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
