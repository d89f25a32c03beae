// Story: somebody is given a key. Its text leaves here once and is kept nowhere.

import { newId } from "#kernel/id.ts";
import { randomBytes } from "#kernel/random.ts";
import { Faults } from "#kernel/refusal.ts";
import { type Clock, realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

import {
  displayOf,
  hashOf,
  makeKey,
  NAME_LENGTH_MAX,
  RATE_PER_MINUTE_MAX,
  scopeNotHeld,
} from "./api-key.ts";
import { type ApiKey, insertKey, insertKeyChange } from "./queries.ts";
import { expandScopes, type Grant } from "./scopes.ts";

export interface NewKey {
  readonly mode: Mode;
  readonly name: string;
  /** Scopes and presets, as `readGrants` reads them. */
  readonly scopes: readonly Grant[];
  /** Null: the limit of the shop holds. */
  readonly ratePerMinute: number | null;
  /** Epoch milliseconds of real time; null: never. */
  readonly expiresAt: number | null;
  /** The scopes of whoever makes the key; null for the operator, who has them all. */
  readonly heldScopes: ReadonlySet<string> | null;
}

/** What a key is made of; keys live on real time, which no test clock moves. */
export interface KeySource {
  readonly bytes: Uint8Array;
  readonly clock: Clock;
}

/**
 * Afterwards the key opens the shop, and who made it is on record; its text is answered this once.
 * Refuses with `scope_not_held`, and with `validation_failed` for an expiry that is past, a rate
 * or a name out of bounds.
 */
export async function createKey(
  tx: Tx,
  terms: NewKey,
  source: KeySource = { bytes: randomBytes(32), clock: realClock },
): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
  const now = source.clock.now();
  requireHeld(terms);
  requireSense(terms, now);
  const key = makeKey(terms.mode, source.bytes);
  const apiKey: ApiKey = {
    id: newId("key", now),
    display: displayOf(key),
    name: terms.name,
    scopes: [...new Set(terms.scopes)],
    ratePerMinute: terms.ratePerMinute,
    expiresAt: terms.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: now,
  };
  await insertKey(tx, { ...apiKey, hash: hashOf(key) });
  await insertKeyChange(tx, {
    id: `${apiKey.id}/created`,
    keyId: apiKey.id,
    action: "created",
    actor: tx.actor,
    createdAt: now,
  });
  return { apiKey, key };
}

/** Nobody makes a key that may do more than its maker. */
function requireHeld(terms: NewKey): void {
  const held = terms.heldScopes;
  if (held === null) return;
  const missing = [...expandScopes(terms.scopes)].filter((scope) => !held.has(scope));
  if (missing.length > 0) throw scopeNotHeld({ members: { scopes: missing } });
}

function requireSense(terms: NewKey, now: number): void {
  const { name, ratePerMinute: rate, expiresAt } = terms;
  const faults = new Faults();
  if (name === "" || [...name].length > NAME_LENGTH_MAX) {
    faults.add("/name", "invalid_length", `A name has 1 to ${NAME_LENGTH_MAX} characters.`);
  }
  if (rate !== null && !(Number.isInteger(rate) && rate >= 1 && rate <= RATE_PER_MINUTE_MAX)) {
    faults.add("/rate_per_minute", "out_of_range", `This is 1 to ${RATE_PER_MINUTE_MAX}.`);
  }
  // Turned around, so that an instant that is no number is refused as well.
  if (expiresAt !== null && !(expiresAt > now)) {
    faults.add("/expires_at", "not_in_the_future", "This must be an instant in the future.");
  }
  faults.refuseIfAny();
}
