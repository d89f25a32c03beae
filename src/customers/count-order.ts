// Story: a customer placed an order.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import type { Customer } from "./customer.ts";
import { raiseOrdersCount } from "./queries.ts";

/**
 * Afterwards the customer has one order more; version and log stay as they are. Answers the
 * customer, or undefined where there is none or the person was erased: such an order has no customer.
 */
export function countOrder(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  return raiseOrdersCount(tx, id);
}
