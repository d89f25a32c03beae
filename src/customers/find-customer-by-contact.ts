// Lookup: who somebody is, by what they can be reached by.

import type { Reader } from "#platform/database/store.ts";

import { type Contact, type Customer, foldEmail } from "./customer.ts";
import { findCustomerByEmail, findCustomerByPhone } from "./queries.ts";

/** The customer with this email, whatever its case; where there is none, the one with this phone. */
export async function findCustomerByContact(
  db: Reader,
  { email, phone }: Contact,
): Promise<Customer | undefined> {
  const known = email === null ? undefined : await findCustomerByEmail(db, foldEmail(email));
  if (known !== undefined || phone === null) return known;
  return findCustomerByPhone(db, phone);
}
