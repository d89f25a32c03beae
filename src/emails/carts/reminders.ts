// Story: an address is about to be reminded of a cart.

import { contactHashOf, openContactVault } from "#customers/consent/contact-vault.ts";
import { findContactVault } from "#customers/consent/lookups.ts";
import type { Customer } from "#customers/customer.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { unsubscribeUrlOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";

import {
  deleteReminder,
  deleteRemindersUntil,
  findReminderOf,
  insertReminder,
  renewReminder,
} from "./queries.ts";

/**
 * Afterwards the address has no other reminder for 24 hours, whatever carts name it: strangers can leave many.
 * Returns the link with which its owner gets none any more; null if another message reminded it less than a day ago.
 * An attempt to send the same message again is no second one, and its 24 hours begin with it.
 */
export async function claimReminder(
  tx: Tx,
  { address, messageId }: { readonly address: string; readonly messageId: string },
): Promise<string | null> {
  const contacts = await openContactVault(tx);
  const contactHash = contactHashOf(contacts, address);
  // Nothing of an address is kept for longer than it is needed.
  await deleteRemindersUntil(tx, tx.now - DAY_MS);
  if (!(await insertReminder(tx, { contactHash, messageId, remindedAt: tx.now }))) {
    const last = await findReminderOf(tx, contactHash);
    if (last?.messageId !== messageId) return null;
    await renewReminder(tx, { contactHash, remindedAt: tx.now });
  }
  return unsubscribeUrlOf(await getLinkTerms(tx), contacts, address);
}

/** Afterwards nothing says when the email of the customer was reminded. */
export async function forgetReminders(tx: Tx, { email }: Pick<Customer, "email">): Promise<void> {
  const contacts = email === null ? undefined : await findContactVault(tx);
  if (email !== null && contacts !== undefined) {
    await deleteReminder(tx, contactHashOf(contacts, email));
  }
}
