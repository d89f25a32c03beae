// Story: revoke every API key, as after a restore of a backup whose keys may be in other hands.

import { type Clock, realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";

import { listActiveKeys } from "./lookups.ts";
import { revokeKey } from "./revoke-key.ts";

/** Revokes every key of the shop, as `revokeKey` does one. Returns how many. */
export async function revokeAllKeys(tx: Tx, clock: Clock = realClock): Promise<number> {
  const keys = await listActiveKeys(tx);
  for (const { id } of keys) await revokeKey(tx, id, { heldScopes: null, clock });
  return keys.length;
}
