// The terms of a shop's links: made at the first start, read with every link. The secret that signs links is stored
// sealed, so that a copy of the database can forge no link; it is opened here and nowhere else.

import { randomBytes } from "#kernel/random.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { isSealed, OtherKey, SealBroken, type Vault } from "#platform/vault/vault.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { LinkTerms } from "./link-token.ts";
import { dropLinkTerms, findLinkTerms, putLinkTerms, replaceLinkSecret } from "./queries.ts";

const SECRET_BYTES = 32;

/** A new secret, sealed. */
function newLinkSecret(vault: Vault): string {
  return vault.seal(Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url"));
}

/** The stored secret in the clear. Throws SealBroken if it was sealed with another key. */
function openLinkSecret(vault: Vault, stored: string): string {
  return isSealed(stored) ? vault.unseal(stored) : stored;
}

/**
 * The stored secret as it must be stored: sealed, if an earlier version of this program saved it in
 * the clear, and a new one in place of one that no key opens.
 */
function resealLinkSecret(vault: Vault, stored: string): string {
  if (!isSealed(stored)) return vault.seal(stored);
  try {
    vault.unseal(stored);
    return stored;
  } catch (error) {
    if (error instanceof SealBroken) return newLinkSecret(vault);
    throw error;
  }
}

/**
 * Saves the address that new links start with. The secret is made once, so earlier links stay
 * valid. A start has the shop's key; only in a state of a sandbox that had another one, a new secret replaces it.
 */
export async function openLinks(tx: Tx, publicUrl: string): Promise<void> {
  const saved = await findLinkTerms(tx);
  if (saved?.publicUrl !== publicUrl) {
    await putLinkTerms(tx, { secret: saved?.secret ?? newLinkSecret(tx.vault), publicUrl });
  }
  if (saved === undefined) return;
  const secret = resealLinkSecret(tx.vault, saved.secret);
  if (secret !== saved.secret) await replaceLinkSecret(tx, saved.secret, secret);
}

/** Replaces the secret of links, so that no earlier link is valid any more. */
export async function renewLinkSecret(tx: Tx): Promise<void> {
  const saved = await findLinkTerms(tx);
  if (saved !== undefined) await replaceLinkSecret(tx, saved.secret, newLinkSecret(tx.vault));
}

/** Deletes the secret of links; the next start makes a new one. */
export async function dropLinkSecret(tx: Tx): Promise<void> {
  await dropLinkTerms(tx);
}

/** Terms with their secret opened, by the row as it is remembered: opening it costs more than the rest of a link. */
const openedTerms = new WeakMap<object, LinkTerms>();

/** Returns the terms of a shop that `openLinks` opened; the same object until they change. */
export async function getLinkTerms(db: Reader): Promise<LinkTerms> {
  const saved = await findLinkTerms(db);
  if (saved === undefined) throw new Error("The shop was opened without the terms of its links.");
  const { orderUrlTemplate } = await getStore(db);
  const known = openedTerms.get(saved);
  if (known !== undefined && known.orderUrlTemplate === orderUrlTemplate) return known;
  const secret = known?.secret ?? openLinkSecret(db.vault, saved.secret);
  const terms = { ...saved, secret, orderUrlTemplate };
  openedTerms.set(saved, terms);
  return terms;
}

/**
 * Returns whether it is known: not in a shop that was never served, nor in one whose secret an earlier version saved in
 * the clear. Throws OtherKey if the secret of the shop's links was sealed with another key.
 */
export async function requireLinkKey(db: Reader): Promise<boolean> {
  const saved = await findLinkTerms(db);
  if (saved === undefined || !isSealed(saved.secret)) return false;
  try {
    db.vault.unseal(saved.secret);
    return true;
  } catch (error) {
    throw error instanceof SealBroken ? new OtherKey(error) : error;
  }
}
