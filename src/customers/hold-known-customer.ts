// Lookup: a customer for whom something is about to be kept. Whoever erases the person waits until it
// is there, and then takes them out of it too.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import type { Customer } from "./customer.ts";
import { holdCustomerRow } from "./queries.ts";

/** The customer, whom nobody changes meanwhile; undefined for nobody and for somebody erased. */
export async function holdKnownCustomer(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  const customer = await holdCustomerRow(tx, id);
  return customer?.erasedAt === null ? customer : undefined;
}
