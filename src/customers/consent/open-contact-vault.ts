// Story: the vault of addresses, made when it is needed first.

import { type Tx, WriteConflict } from "#platform/database/database.ts";
import type { Resealing, Vault } from "#platform/vault/vault.ts";

import { contactVaultOf, newContactSecret, SECRET_PLACE } from "./contact-vault.ts";
import { findContactSecret, saveContactSecret } from "./queries.ts";

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
