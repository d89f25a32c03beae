// Story: everything that was written about a customer beside their own record is emptied.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { forgetText } from "#platform/database/search/search.ts";
import { redactAnswers, redactEvents } from "#platform/event-log/redaction.ts";

import { customerDeleted, withoutCustomer } from "./events.ts";

/**
 * Afterwards no search finds the customer, no payload about the customer and no stored answer names
 * them, and whoever keeps more was told with `customer.deleted`.
 */
export async function redactCustomer(tx: Tx, id: Id<"customer">): Promise<void> {
  await forgetText(tx, { kind: "customers", subject: id });
  await redactEvents(tx, id, withoutCustomer(id));
  await redactAnswers(tx, id, withoutCustomer(id));
  await tx.emit(customerDeleted(id));
}
