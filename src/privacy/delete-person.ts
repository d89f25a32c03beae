// Story: a customer who never ordered is removed, and from every cart they filled.

import { deleteCustomer } from "#customers/delete-customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import type { Id } from "#kernel/id.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";
import { forgetCartBuyer } from "#sales/carts/forget-cart-buyer.ts";

/**
 * Afterwards the customer is gone and no cart, event or stored answer says who it was. Refuses with
 * `customer_not_found`, `stale_version` and `customer_has_orders`.
 */
export async function deletePerson(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<undefined> {
  const before = await lockCustomer(tx, id);
  // While the carts still know whose they are; a refusal of what follows undoes it.
  await forgetCartBuyer(tx, before);
  return deleteCustomer(tx, id, expected);
}
