// Story: the owner of an email withdraws consent to marketing, by a link that came to it.

import { findCustomerByContact } from "#customers/lookups.ts";
import { updateCustomer } from "#customers/update-customer.ts";
import type { Tx } from "#platform/database/database.ts";

import { rememberWithdrawal } from "./withdrawals.ts";

/**
 * Afterwards the email has no consent, whether a customer has it or not. Emits `customer.updated` of a customer who had
 * given it. Done again, it changes nothing.
 */
export async function withdrawConsent(tx: Tx, email: string): Promise<void> {
  const customer = await findCustomerByContact(tx, { email, phone: null });
  if (customer !== undefined) {
    await updateCustomer(tx, customer.id, { change: { marketingConsent: false }, expected: null });
  }
  await rememberWithdrawal(tx, email);
}
