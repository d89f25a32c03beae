// Story: the owner of an email has no consent to marketing any more, which is to hold.

import type { CustomerChange } from "#customers/customer.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import { contactHashesBy, contactHashOf, openContactVault } from "./contact-vault.ts";
import { findContactVault, hasWithdrawn } from "./lookups.ts";
import { deleteWithdrawal, insertWithdrawal } from "./queries.ts";

/** Afterwards a withdrawal is kept for the email, by a hash that outlives its customer. */
export async function rememberWithdrawal(tx: Tx, email: string): Promise<void> {
  const contactHash = contactHashOf(await openContactVault(tx), email);
  await insertWithdrawal(tx, { contactHash, withdrawnAt: tx.now });
}

/** Afterwards an earlier withdrawal for the email does not count any more. */
export async function liftWithdrawal(tx: Tx, email: string): Promise<void> {
  const contacts = await findContactVault(tx);
  for (const hash of contacts === undefined ? [] : contactHashesBy(contacts, email)) {
    await deleteWithdrawal(tx, hash);
  }
}

/**
 * Returns the change, without consent if it was withdrawn for the email: a stranger, a file that may be older, and a
 * customer who has not proved that the email is theirs know less of its owner's will.
 */
export async function respectWithdrawal(
  db: Reader,
  email: string | null | undefined,
  change: CustomerChange,
): Promise<CustomerChange> {
  const isGiven = change.marketingConsent === true && typeof email === "string";
  const isWithdrawn = isGiven && (await hasWithdrawn(db, email));
  return isWithdrawn ? { ...change, marketingConsent: false } : change;
}
