// Story: erase a customer's personal data and keep the record, which orders refer to.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { redacted } from "#platform/database/record.ts";
import { forgetText } from "#platform/database/search.ts";
import { redactAnswers, redactEvents } from "#platform/event-log/redaction.ts";

import { type Customer, customerHasOrders } from "./customer.ts";
import { customerDeleted } from "./events.ts";
import { lockCustomer } from "./lookups.ts";
import { customerRows, dropCustomer, replaceTags } from "./queries.ts";
import { withoutCustomer } from "./redact-fields.ts";
import { customers } from "./tables.ts";

/**
 * Empties the record and redacts the customer's events and stored answers. Returns an erased customer
 * unchanged. Refuses with `customer_not_found` and `stale_version`.
 */
export async function forgetCustomer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<Customer> {
  const before = await lockCustomer(tx, id);
  requireVersion(before.version, expected);
  if (before.erasedAt !== null) return before;
  const left = redacted(customers, before);
  const erased = await customerRows.save(tx, before, { ...left, erasedAt: tx.now });
  await replaceTags(tx, erased);
  await redactCustomer(tx, id);
  return erased;
}

/**
 * Deletes the customer and redacts its events and stored answers, since it cannot be erased later.
 * Refuses with `customer_not_found`, `stale_version` and `customer_has_orders`.
 */
export async function removeCustomer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<undefined> {
  const customer = await lockCustomer(tx, id);
  requireVersion(customer.version, expected);
  if (!(await dropCustomer(tx, id))) throw customerHasOrders();
  await redactCustomer(tx, id);
}

/**
 * Removes the customer from the search index, redacts its events and stored answers, and emits
 * `customer.deleted`.
 */
async function redactCustomer(tx: Tx, id: Id<"customer">): Promise<void> {
  await forgetText(tx, { kind: "customers", subject: id });
  await redactEvents(tx, id, withoutCustomer(id));
  await redactAnswers(tx, id, withoutCustomer(id));
  await tx.emit(customerDeleted(id));
}
