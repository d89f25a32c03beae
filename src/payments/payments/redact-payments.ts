// Story: removes a customer from their payments. The amounts stay.

import type { Id } from "#kernel/id.ts";
import { clearRefundNotes } from "#payments/refunds/queries.ts";
import type { Tx } from "#platform/database/database.ts";

import { clearPayerFields } from "./queries.ts";

/** Clears what identifies the customer in their payments, and the notes of their refunds. The events are redacted by order. */
export async function redactPayments(tx: Tx, id: Id<"customer">): Promise<void> {
  await clearPayerFields(tx, id);
  await clearRefundNotes(tx, id);
}
