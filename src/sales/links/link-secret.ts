// The secret that signs links, as it is stored: sealed, so that a copy of the database can forge no
// link. It is opened here and nowhere else.

import { randomBytes } from "#kernel/random.ts";
import { isSealed, SealBroken, type Vault } from "#platform/vault/vault.ts";

const SECRET_BYTES = 32;

/** A new secret, sealed. */
export function newLinkSecret(vault: Vault): string {
  return vault.seal(Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url"));
}

/** The stored secret in the clear. Throws SealBroken if it was sealed with another key. */
export function openLinkSecret(vault: Vault, stored: string): string {
  return isSealed(stored) ? vault.unseal(stored) : stored;
}

/**
 * The stored secret as it must be stored: sealed, if an earlier version of this program saved it in
 * the clear, and a new one in place of one that no key opens.
 */
export function resealLinkSecret(vault: Vault, stored: string): string {
  if (!isSealed(stored)) return vault.seal(stored);
  try {
    vault.unseal(stored);
    return stored;
  } catch (error) {
    if (error instanceof SealBroken) return newLinkSecret(vault);
    throw error;
  }
}
