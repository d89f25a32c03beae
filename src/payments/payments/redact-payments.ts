// Story: removes a customer from their payments. The amounts stay.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { clearPayerFields } from "./queries.ts";

/** Clears what identifies the customer in their payments. The events are redacted by order. */
export async function redactPayments(tx: Tx, id: Id<"customer">): Promise<void> {
  await clearPayerFields(tx, id);
}
