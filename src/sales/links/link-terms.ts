// The terms of a shop's links: made at the first start, read with every link.

import type { Reader, Tx } from "#platform/database/database.ts";

import { newLinkSecret, openLinkSecret, resealLinkSecret } from "./link-secret.ts";
import type { LinkTerms } from "./link-token.ts";
import { dropLinkTerms, findLinkTerms, putLinkTerms, replaceLinkSecret } from "./queries.ts";

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
  const known = openedTerms.get(saved);
  if (known !== undefined) return known;
  const terms = { ...saved, secret: openLinkSecret(db.vault, saved.secret) };
  openedTerms.set(saved, terms);
  return terms;
}
