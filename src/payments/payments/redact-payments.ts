// Story: removes a customer from their payments. The amounts stay.

import type { Id } from "#kernel/id.ts";
import { clearRefundNotes, findRefundIdsOf } from "#payments/refunds/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { redactAnswersOfEach, type RedactField } from "#platform/event-log/redaction.ts";

import { clearPayerFields } from "./queries.ts";

/**
 * Clears what identifies the customer in their payments, and the notes of their refunds, whose stored answers do not name
 * them. The events are redacted by order.
 */
export async function redactPayments(tx: Tx, id: Id<"customer">): Promise<void> {
  await clearPayerFields(tx, id);
  await clearRefundNotes(tx, id);
  await redactAnswersOfEach(tx, await findRefundIdsOf(tx, id), withoutNotes);
}

const withoutNotes: RedactField = (field, value) =>
  field === "note" || field === "close_note" ? null : value;
