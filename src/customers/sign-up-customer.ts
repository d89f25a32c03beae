// Story: a stranger names a customer, such as in a form of a web shop.

import { Refusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import { respectWithdrawal } from "./consent/respect-withdrawal.ts";
import { createCustomer } from "./create-customer.ts";
import { type Customer, type CustomerChange, customerExists, newCustomer } from "./customer.ts";
import { findCustomerByContact } from "./lookups.ts";

/**
 * Afterwards a customer has the email or the phone: a new one is unverified, a known one stays as it was.
 * Consent does not outweigh a withdrawal, which only someone who read an email to the address could send.
 * Returns what was sent as a new customer in all cases, so that a stranger does not learn who is known.
 * Refuses with `validation_failed` without an email or phone.
 */
export async function signUpCustomer(tx: Tx, sent: CustomerChange): Promise<Customer> {
  const draft = { ...sent, isUnverified: true };
  try {
    const created = await createCustomer(tx, await respectWithdrawal(tx, sent.email, draft));
    return { ...created, marketingConsent: sent.marketingConsent ?? created.marketingConsent };
  } catch (error) {
    if (!(error instanceof Refusal) || error.definition !== customerExists) throw error;
    const composed = newCustomer(draft, tx.now);
    const known = await findCustomerByContact(tx, composed);
    return { ...composed, id: known?.id ?? composed.id };
  }
}
