// Story: create an API key. The text of a secret key is returned once and stored nowhere.

import { type Id, newId } from "#kernel/id.ts";
import { randomBytes } from "#kernel/random.ts";
import { Faults } from "#kernel/refusal.ts";
import { type Clock, HOUR_MS, realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { nextNumber } from "#platform/database/held-rows.ts";
import type { Mode } from "#platform/database/shop.ts";
import { recordAct } from "#shop/audit/record-act.ts";

import {
  displayOf,
  hasEnded,
  hashOf,
  keyEnded,
  type KeyKind,
  makeKey,
  NAME_LENGTH_MAX,
  RATE_PER_MINUTE_MAX,
} from "./api-key.ts";
import { keyFact } from "./events.ts";
import { hasKeys } from "./lookups.ts";
import { keyRows, setKeyExpiry } from "./queries.ts";
import { revokeKey } from "./revoke-key.ts";
import {
  defaultGrants,
  type Grant,
  kindOfKey,
  knownGrants,
  type Limits,
  limitsWithin,
  loweredTo,
  type Maker,
  requireHeld,
  scopesNotPublishable,
} from "./scopes.ts";
import type { ApiKey } from "./tables.ts";

export interface NewKey {
  readonly mode: Mode;
  readonly name: string;
  /** The kind that the creator expects, which the scopes must agree with; null if they decide. */
  readonly kind: KeyKind | null;
  /** Scopes and presets, as `readGrants` reads them; null for those of the kind. */
  readonly scopes: readonly Grant[] | null;
  /** Null means the maker's, else the server's default. */
  readonly ratePerMinute: number | null;
  /** Epoch milliseconds of real time; null means as long as the maker, else for ever. */
  readonly expiresAt: number | null;
  /** The key that makes it, which bounds it; null for the operator and for the shop itself. */
  readonly maker: Maker | null;
  /** The key whose idempotency keys the new one takes over; null for a key of a new line. */
  readonly replaces: Id<"key"> | null;
  /** No event tells of the first key of a shop, since nothing could follow the shop before, nor of one of a command. */
  readonly isQuiet?: boolean;
}

/** Randomness and clock of a new key. Keys use real time, which the test clock does not move. */
interface KeySource {
  readonly bytes: Uint8Array;
  readonly clock: Clock;
}

/** A key, and its text. */
interface CreatedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/**
 * Inserts the key with its creator, emits `key.created` unless it is quiet, and returns the key's text. Refuses with
 * `scope_not_held`, and with `validation_failed` for an expiry in the past, a name, rate or expiry out of
 * range, or scopes of another kind of key, and with `key_not_found` for the key that it replaces.
 */
export async function createKey(
  tx: Tx,
  terms: NewKey,
  source: KeySource = { bytes: randomBytes(32), clock: realClock },
): Promise<CreatedKey> {
  const now = source.clock.now();
  const scopes = [...new Set(terms.scopes ?? defaultGrants[terms.kind ?? "secret"])];
  if (terms.maker !== null) requireHeld(terms.maker.scopes, scopes);
  const limits = validateTerms(terms, { scopes, now });
  const kind = kindOfKey(scopes);
  const key = makeKey(terms.mode, kind, source.bytes);
  const id = newId("key", now);
  const apiKey: ApiKey = {
    id,
    lineage: terms.replaces === null ? id : (await keyRows.get(tx, terms.replaces)).lineage,
    display: displayOf(key),
    publicText: kind === "publishable" ? key : null,
    name: terms.name,
    scopes,
    ...limits,
    createdBy: tx.actor,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: now,
  };
  await keyRows.insert(tx, { ...apiKey, hash: hashOf(key) });
  if (terms.isQuiet !== true) await tx.emit(keyFact("key.created", apiKey, terms.replaces));
  return { apiKey, key };
}

function validateTerms(
  { name, kind, ratePerMinute: rate, expiresAt, maker }: NewKey,
  { scopes, now }: { readonly scopes: readonly Grant[]; readonly now: number },
): Limits {
  const faults = new Faults();
  validateKind(kind, scopes, faults);
  if (name === "" || [...name].length > NAME_LENGTH_MAX) {
    const detail = `The name must have 1 to ${NAME_LENGTH_MAX} characters.`;
    faults.add("/name", "invalid_length", detail);
  }
  if (rate !== null && !(Number.isInteger(rate) && rate >= 1 && rate <= RATE_PER_MINUTE_MAX)) {
    const detail = `The rate must be a whole number from 1 to ${RATE_PER_MINUTE_MAX}.`;
    faults.add("/rate_per_minute", "out_of_range", detail);
  }
  // Negated, so that NaN is refused as well.
  if (expiresAt !== null && !(expiresAt > now)) {
    faults.add("/expires_at", "not_in_the_future", "The expiry must be in the future.");
  }
  const limits = limitsWithin(maker, { ratePerMinute: rate, expiresAt }, faults);
  faults.refuseIfAny();
  return limits;
}

function validateKind(kind: NewKey["kind"], scopes: readonly Grant[], faults: Faults): void {
  if (kind === null || kind === kindOfKey(scopes)) return;
  const secret = scopesNotPublishable(scopes);
  const detail =
    secret.length === 0
      ? "With these scopes a key is publishable."
      : `A publishable key cannot have ${secret.join(", ")}.`;
  faults.add("/kind", "scopes_of_other_kind", detail);
}

// Story: create the first key of a new shop, so that it can be used right after its first start.

/** Creates a test key with full scopes unless the shop has a key. Returns its text, or null. */
export async function createFirstKey(tx: Tx): Promise<string | null> {
  if (await hasKeys(tx)) return null;
  // The counter's row lock admits one program at a time; later ones find the key that the first created.
  await nextNumber(tx, "first_keys", 1);
  if (await hasKeys(tx)) return null;
  const { apiKey, key } = await createKey(tx, {
    mode: "test",
    name: "First key",
    kind: "secret",
    scopes: null,
    ratePerMinute: null,
    expiresAt: null,
    maker: null,
    replaces: null,
    isQuiet: true,
  });
  await recordAct(tx, { actorName: null, action: "createFirstKey", subject: apiKey.id });
  return key;
}

// Story: replace an API key by a new one that may do the same.

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
