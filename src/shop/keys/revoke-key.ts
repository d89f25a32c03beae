// Story: revoke an API key.

import type { Id } from "#kernel/id.ts";
import { type Clock, realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";

import { type ApiKey, insertKeyChange, keyRows, markKeyRevoked } from "./queries.ts";

/**
 * Revokes the key from its next request on, and inserts an audit row with the actor. A key that is
 * already revoked is returned unchanged. Refuses with `key_not_found`.
 */
export async function revokeKey(tx: Tx, id: Id<"key">, clock: Clock = realClock): Promise<ApiKey> {
  const now = clock.now();
  const revoked = await markKeyRevoked(tx, id, now);
  if (revoked === undefined) return keyRows.get(tx, id);
  await insertKeyChange(tx, {
    id: `${id}/revoked`,
    keyId: id,
    action: "revoked",
    actor: tx.actor,
    createdAt: now,
  });
  return revoked;
}
