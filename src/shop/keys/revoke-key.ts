// Story: revoke an API key.

import type { Id } from "#kernel/id.ts";
import { type Clock, realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";

import { keyFact } from "./events.ts";
import { listActiveKeys } from "./lookups.ts";
import { keyRows, markKeyRevoked, setKeyName } from "./queries.ts";
import { requireHeld } from "./scopes.ts";
import type { ApiKey } from "./tables.ts";

interface Revocation {
  /** The scopes of the key that asks; null for the operator, who may revoke every key. */
  readonly heldScopes: ReadonlySet<string> | null;
  readonly clock?: Clock;
  /** No event tells of it: for a key of which none told that it was created. */
  readonly isQuiet?: boolean;
}

/**
 * Revokes the key from its next request on and emits `key.revoked`. A key that is
 * already revoked is returned unchanged. Refuses with `key_not_found`, and with `scope_not_held` for a key
 * that may do more than the one that asks.
 */
export async function revokeKey(
  tx: Tx,
  id: Id<"key">,
  { heldScopes, clock = realClock, isQuiet = false }: Revocation,
): Promise<ApiKey> {
  if (heldScopes !== null) requireHeld(heldScopes, (await keyRows.get(tx, id)).scopes);
  const now = clock.now();
  const revoked = await markKeyRevoked(tx, id, now);
  if (revoked === undefined) return keyRows.get(tx, id);
  if (!isQuiet) await tx.emit(keyFact("key.revoked", revoked));
  return revoked;
}

// Story: revoke every API key, as after a restore of a backup whose keys may be in other hands.

/** Revokes every key of the shop, as `revokeKey` does one. Returns how many. */
export async function revokeAllKeys(tx: Tx, clock: Clock = realClock): Promise<number> {
  const keys = await listActiveKeys(tx);
  for (const { id } of keys) await revokeKey(tx, id, { heldScopes: null, clock });
  return keys.length;
}

/**
 * Afterwards the key has the name. Refuses with `key_not_found`, and with `scope_not_held` for a key that
 * may do more than the one that asks.
 */
export async function renameKey(
  tx: Tx,
  id: Id<"key">,
  { name, heldScopes }: { readonly name: string; readonly heldScopes: ReadonlySet<string> },
): Promise<ApiKey> {
  const key = await keyRows.lock(tx, id);
  requireHeld(heldScopes, key.scopes);
  await setKeyName(tx, { id, name });
  return { ...key, name };
}
