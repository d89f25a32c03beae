// Story: that a customer was reminded of a cart is forgotten with them.

import { contactHashOf } from "#customers/consent/contact-vault.ts";
import { findContactVault } from "#customers/consent/lookups.ts";
import type { Customer } from "#customers/customer.ts";
import type { Tx } from "#platform/database/database.ts";

import { deleteReminder } from "./queries.ts";

/** Afterwards nothing says when the email of the customer was reminded. */
export async function forgetReminders(tx: Tx, { email }: Pick<Customer, "email">): Promise<void> {
  const contacts = email === null ? undefined : await findContactVault(tx);
  if (email !== null && contacts !== undefined) {
    await deleteReminder(tx, contactHashOf(contacts, email));
  }
}
