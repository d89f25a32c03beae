// Lookup: whether this program has the key of the shop. The secret of links is in each shop that was served.

import type { Reader } from "#platform/database/database.ts";
import { OtherKey } from "#platform/vault/other-key.ts";
import { isSealed, SealBroken } from "#platform/vault/vault.ts";

import { findLinkTerms } from "./queries.ts";

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
