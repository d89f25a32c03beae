// Story: redact a customer's data outside of its own record.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { forgetText } from "#platform/database/search.ts";
import { redactAnswers, redactEvents } from "#platform/event-log/redaction.ts";

import { customerDeleted } from "./events.ts";
import { withoutCustomer } from "./redact-fields.ts";

/**
 * Removes the customer from the search index, redacts its events and stored answers, and emits
 * `customer.deleted`.
 */
export async function redactCustomer(tx: Tx, id: Id<"customer">): Promise<void> {
  await forgetText(tx, { kind: "customers", subject: id });
  await redactEvents(tx, id, withoutCustomer(id));
  await redactAnswers(tx, id, withoutCustomer(id));
  await tx.emit(customerDeleted(id));
}
