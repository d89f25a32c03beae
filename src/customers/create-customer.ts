// Story: create a customer.

import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { indexText } from "#platform/database/search/search.ts";

import { liftWithdrawal } from "./consent/lift-withdrawal.ts";
import {
  contactTaken,
  type Customer,
  type CustomerChange,
  newCustomer,
  searchText,
} from "./customer.ts";
import { customerCreated } from "./events.ts";
import { findCustomerByContact } from "./lookups.ts";
import { insertCustomer } from "./queries.ts";

/**
 * Inserts the customer, indexes it for search and emits `customer.created`. Consent that is given for the email counts
 * from now on, also if it was withdrawn before. Refuses with `validation_failed` without an email or phone, and with
 * `customer_exists` if either is taken.
 */
export async function createCustomer(tx: Tx, draft: CustomerChange): Promise<Customer> {
  const customer = newCustomer(draft, tx.now);
  if (!(await insertCustomer(tx, customer))) {
    const holder = await findCustomerByContact(tx, customer);
    // Without a holder, the contact was freed between the two statements: retry.
    throw holder === undefined ? new WriteConflict("The contact") : contactTaken(holder, customer);
  }
  await indexText(tx, { kind: "customers", subject: customer.id }, searchText(customer));
  const { email, marketingConsent } = customer;
  if (marketingConsent && email !== null) await liftWithdrawal(tx, email);
  await tx.emit(customerCreated(customer));
  return customer;
}
