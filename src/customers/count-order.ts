// Story: count an order of a customer.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import type { Customer } from "./customer.ts";
import { raiseOrdersCount } from "./queries.ts";

/**
 * Adds one to the customer's `orders_count`, without a new version or event. Returns the customer, or
 * undefined if it does not exist or was erased: such an order has no customer.
 */
export function countOrder(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  return raiseOrdersCount(tx, id);
}
