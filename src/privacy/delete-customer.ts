// Story: a customer who never ordered is removed, and from every cart they filled.

import { lockCustomer } from "#customers/lookups.ts";
import { removeCustomer } from "#customers/remove-customer.ts";
import type { Id } from "#kernel/id.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";
import { redactCarts } from "#sales/carts/redact-carts.ts";

/**
 * Afterwards the customer is gone and no cart, event or stored answer says who it was. Refuses with
 * `customer_not_found`, `stale_version` and `customer_has_orders`.
 */
export async function deleteCustomer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<undefined> {
  const before = await lockCustomer(tx, id);
  // While the carts still know whose they are; a refusal of what follows undoes it.
  await redactCarts(tx, before);
  return removeCustomer(tx, id, expected);
}
