// Lookup: a customer by id, erased ones too; their `erasedAt` says so.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

import type { Customer } from "./customer.ts";
import { findCustomerById } from "./queries.ts";

/** The customer with this id, if there is one. */
export function findCustomer(db: Reader, id: Id<"customer">): Promise<Customer | undefined> {
  return findCustomerById(db, id);
}
