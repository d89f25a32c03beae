// Story: a customer is taken out of what they paid. The money stays.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { clearPayerFields } from "./queries.ts";

/** Afterwards no payment of the customer says who paid. Their events belong to the orders. */
export async function redactPayments(tx: Tx, id: Id<"customer">): Promise<void> {
  await clearPayerFields(tx, id);
}
