// Story: replace an API key by a new one that may do the same.

import type { Id } from "#kernel/id.ts";
import { HOUR_MS, realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

import { hasEnded, keyEnded } from "./api-key.ts";
import { type CreatedKey, createKey } from "./create-key.ts";
import { keyRows, setKeyExpiry } from "./queries.ts";
import { revokeKey } from "./revoke-key.ts";
import { knownGrants, loweredTo, type Maker, requireHeld } from "./scopes.ts";

export interface Rotation {
  readonly mode: Mode;
  /** How long the previous key stays valid; 0 revokes it. */
  readonly overlapHours: number;
  /** The key that asks, which bounds the new one; null for the operator. */
  readonly maker: Maker | null;
}

/**
 * Afterwards a new key has the name, scopes, limits and lineage of the previous one, which ends after the
 * overlap. Refuses with `key_not_found`, with `key_ended` for a key that was revoked or has expired, and with
 * `scope_not_held` for one that may do more than the key that asks.
 */
export async function rotateKey(
  tx: Tx,
  id: Id<"key">,
  { mode, overlapHours, maker }: Rotation,
): Promise<CreatedKey> {
  const now = realClock.now();
  const previous = await keyRows.lock(tx, id);
  if (maker !== null) requireHeld(maker.scopes, previous.scopes);
  if (hasEnded(previous, now)) throw keyEnded();
  const created = await createKey(tx, {
    ...loweredTo(maker, previous),
    mode,
    name: previous.name,
    kind: null,
    scopes: knownGrants(previous.scopes),
    maker,
    replaces: id,
  });
  if (overlapHours === 0) {
    await revokeKey(tx, id, { heldScopes: null });
  } else {
    const endsAt = now + overlapHours * HOUR_MS;
    await setKeyExpiry(tx, { id, expiresAt: Math.min(endsAt, previous.expiresAt ?? endsAt) });
  }
  return created;
}
