// Story: a customer's personal data is removed from the returns of their orders.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { clearReturnNotes } from "./queries.ts";

/** Clears the notes of a customer's returns, which may name them. The events are redacted by order. */
export async function redactReturns(tx: Tx, customerId: Id<"customer">): Promise<void> {
  tx.scrub();
  await clearReturnNotes(tx, { customerId });
}
