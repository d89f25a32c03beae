// Lookup: a customer that has to be there.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/store/store.ts";

import { type Customer, customerNotFound } from "./customer.ts";
import { findCustomerById } from "./queries.ts";

/** The customer with this id. Refuses with `customer_not_found`. */
export async function getCustomer(db: Reader, id: Id<"customer">): Promise<Customer> {
  const customer = await findCustomerById(db, id);
  if (customer === undefined) throw customerNotFound();
  return customer;
}
