// Story: the secret of addresses is sealed with another key.

import type { Tx } from "#platform/database/database.ts";
import type { Resealing } from "#platform/vault/resealing.ts";

import { SECRET_PLACE } from "./contact-vault.ts";
import { findContactSecret, saveContactSecret } from "./queries.ts";

/** Seals the secret with the vault's present key, so that withdrawals hold and their links work. Leaves one that no key opens. */
export async function resealContactSecret(tx: Tx, resealing: Resealing): Promise<void> {
  const sealed = await findContactSecret(tx);
  if (sealed === undefined) return;
  await saveContactSecret(tx, resealing.reseal(sealed, SECRET_PLACE), sealed);
}
