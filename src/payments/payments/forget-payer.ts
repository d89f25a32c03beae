// Story: a customer is taken out of what they paid. The money stays.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { clearPayer } from "./queries.ts";

/** Afterwards no payment of the customer says who paid. Their events belong to the orders. */
export async function forgetPayer(tx: Tx, id: Id<"customer">): Promise<void> {
  await clearPayer(tx, id);
}
