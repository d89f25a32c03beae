// How addresses are remembered without keeping them, and named in links. The secret has a row of its own, because a
// withdrawal has to hold, and its link to work, also after the key of the shop or the secret of other links was renewed.

import { foldEmail } from "#customers/customer.ts";
import { randomBytes } from "#kernel/random.ts";
import { SealBroken, type Vault, vaultWith } from "#platform/vault/vault.ts";

const SECRET_BYTES = 32;
/** The place for which the secret is sealed. */
export const SECRET_PLACE = "contacts";

/** A new secret, sealed. */
export function newContactSecret(vault: Vault): string {
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
  return contacts.sign(`contact ${foldEmail(email)}`);
}
