// Lookup: a customer that a story decides on, held until its transaction ends. Invariant: a person's
// orders are counted in their row, so whoever has it sees all orders they ever placed, and gets no more.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import { type Customer, customerNotFound } from "./customer.ts";
import { holdCustomerRow } from "./queries.ts";

/** The customer, whom nobody else changes meanwhile. Refuses with `customer_not_found`. */
export async function holdCustomer(tx: Tx, id: Id<"customer">): Promise<Customer> {
  const customer = await holdCustomerRow(tx, id);
  if (customer === undefined) throw customerNotFound();
  return customer;
}
