// Lookup: the record of a customer with all that was announced of it.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";

import type { Customer } from "./customer.ts";
import { getCustomer } from "./queries.ts";

const EVENTS_AT_ONCE = 500;

export interface ExportedCustomer {
  readonly customer: Customer;
  /** All that was announced about the customer, oldest first. */
  readonly events: readonly LoggedEvent[];
}

/** The customer with its whole timeline. Refuses with `customer_not_found`. */
export async function exportCustomer(db: Reader, id: Id<"customer">): Promise<ExportedCustomer> {
  const customer = await getCustomer(db, id);
  const events: LoggedEvent[] = [];
  let after = 0;
  for (;;) {
    const found = await eventsAfter(db, { after, limit: EVENTS_AT_ONCE, subject: id });
    events.push(...found);
    if (found.length < EVENTS_AT_ONCE) return { customer, events };
    after = found.at(-1)?.sequence ?? after;
  }
}
