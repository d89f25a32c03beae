// Story: a customer's personal data is removed from the returns of their orders.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { withoutPersonal } from "#platform/event-log/redaction.ts";

import { redactReturnRows, returnsOfCustomer } from "./queries.ts";
import { orderReturns } from "./tables.ts";

/** Redacts what a return has of its customer. */
export const withoutReturn = withoutPersonal(orderReturns);

/** Removes what the returns of a customer say of them. The events are redacted by order. */
export async function redactReturns(tx: Tx, customerId: Id<"customer">): Promise<void> {
  tx.scrub();
  await redactReturnRows(tx, await returnsOfCustomer(tx, { customerId }));
}
