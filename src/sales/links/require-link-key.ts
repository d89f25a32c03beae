// Lookup: whether this program has the key of the shop. The secret of links is in each shop that was served.

import type { Reader } from "#platform/database/database.ts";
import { OtherKey } from "#platform/vault/other-key.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import { openLinkSecret } from "./link-secret.ts";
import { findLinkTerms } from "./queries.ts";

/** Throws OtherKey if the secret of the shop's links was sealed with another key. */
export async function requireLinkKey(db: Reader): Promise<void> {
  const saved = await findLinkTerms(db);
  if (saved === undefined) return;
  try {
    openLinkSecret(db.vault, saved.secret);
  } catch (error) {
    throw error instanceof SealBroken ? new OtherKey(error) : error;
  }
}
