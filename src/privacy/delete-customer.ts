// Story: delete a customer without orders, and redact its carts.

import { removeCustomer } from "#customers/forget-customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import type { ExpectedVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { redactCarts } from "#sales/carts/redact-carts.ts";

/**
 * Deletes the customer and redacts its carts, events and stored answers. Refuses with
 * `customer_not_found`, `stale_version` and `customer_has_orders`.
 */
export async function deleteCustomer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<undefined> {
  const before = await lockCustomer(tx, id);
  // First, while the carts still refer to the customer. A refusal below rolls this back.
  await redactCarts(tx, before);
  return removeCustomer(tx, id, expected);
}
