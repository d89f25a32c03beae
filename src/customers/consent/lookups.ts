// Reads about consent to marketing, which belongs to an email.

import { findCustomerByContact } from "#customers/lookups.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Vault } from "#platform/vault/vault.ts";

import { contactHashesBy, contactVaultOf } from "./contact-vault.ts";
import { findContactSecret, hasWithdrawal } from "./queries.ts";

/** The vault of addresses; undefined in a shop that has remembered none. */
export async function findContactVault(db: Reader): Promise<Vault | undefined> {
  return contactVaultOf(db.vault, await findContactSecret(db));
}

/**
 * Returns true if consent was withdrawn for the email by a link, and not given since with a secret key or at the
 * dashboard.
 */
export async function hasWithdrawn(db: Reader, email: string): Promise<boolean> {
  const contacts = await findContactVault(db);
  for (const hash of contacts === undefined ? [] : contactHashesBy(contacts, email)) {
    if (await hasWithdrawal(db, hash)) return true;
  }
  return false;
}

/**
 * Returns true if the email may get marketing: the customer whose email it is gave consent, and none was withdrawn for
 * it. That of another customer does not count, also where a cart names both.
 */
export async function hasConsent(db: Reader, email: string): Promise<boolean> {
  const customer = await findCustomerByContact(db, { email, phone: null });
  return customer?.marketingConsent === true && !(await hasWithdrawn(db, email));
}
