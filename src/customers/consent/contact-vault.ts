// How addresses are remembered without keeping them, and named in links. The secret has a row of its own, because a
// withdrawal has to hold, and its link to work, also after the key of the shop or the secret of other links was renewed.

import { emailsBy, foldEmail } from "#customers/customer.ts";
import { randomBytes } from "#kernel/random.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { type Resealing, SealBroken, type Vault, vaultWith } from "#platform/vault/vault.ts";

import { findContactSecret, saveContactSecret } from "./queries.ts";

const SECRET_BYTES = 32;
/** The place for which the secret is sealed. */
const SECRET_PLACE = "contacts";

/** A new secret, sealed. */
function newContactSecret(vault: Vault): string {
  return vault.seal(Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url"), SECRET_PLACE);
}

/** The vault of addresses; undefined without a secret, and where this program's key does not open it. */
export function contactVaultOf(vault: Vault, sealed: string | undefined): Vault | undefined {
  if (sealed === undefined) return undefined;
  try {
    return vaultWith([Buffer.from(vault.unseal(sealed, SECRET_PLACE), "base64url")], []);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/** A keyed hash of the email, however it is typed: without the secret it cannot be guessed at. */
export function contactHashOf(contacts: Vault, email: string): string {
  return hashOf(contacts, foldEmail(email));
}

/** The hashes by which an address is looked up, which may be from before emails had a form. */
export function contactHashesBy(contacts: Vault, sent: string): string[] {
  return emailsBy(sent).map((email) => hashOf(contacts, email));
}

function hashOf(contacts: Vault, email: string): string {
  return contacts.sign(`contact ${email}`);
}

/**
 * Returns the vault of addresses. A new secret is made where there is none, and where no key opens it: what was hashed by
 * it is then not found any more. Throws `WriteConflict` if another program made one at the same time.
 */
export async function openContactVault(tx: Tx): Promise<Vault> {
  const saved = await findContactSecret(tx);
  const known = contactVaultOf(tx.vault, saved);
  if (known !== undefined) return known;
  const secret = newContactSecret(tx.vault);
  const made = contactVaultOf(tx.vault, secret);
  const isSaved = await saveContactSecret(tx, secret, saved);
  if (made === undefined || !isSaved) throw new WriteConflict("The secret of contacts");
  return made;
}

/** Seals the secret with the vault's present key, so that withdrawals hold and their links work. Leaves one that no key opens. */
export async function resealContactSecret(tx: Tx, resealing: Resealing): Promise<void> {
  const sealed = await findContactSecret(tx);
  if (sealed === undefined) return;
  await saveContactSecret(tx, resealing.reseal(sealed, SECRET_PLACE), sealed);
}
