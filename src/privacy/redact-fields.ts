// Redacts an erased customer in events and stored answers, of every noun that has data of customers.

import { withoutCustomer } from "#customers/redact-fields.ts";
import type { Id } from "#kernel/id.ts";
import { withoutPayment } from "#payments/rows/redact-payments.ts";
import { eachOf, type RedactField } from "#platform/event-log/redaction.ts";
import { withoutOrder, withoutReturn } from "#sales/orders/redact-orders.ts";

/** Redacts an erased customer from the events of their orders, and from stored answers. */
export function withoutPerson(id: Id<"customer">): RedactField {
  return eachOf(withoutCustomer(id), withoutOrder, withoutReturn, withoutPayment);
}
