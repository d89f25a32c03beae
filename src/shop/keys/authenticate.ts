// Authentication by API key. The prefix selects the database, so a test key cannot open the live shop.
// Invariant: validity is checked with each request on the key's row as it is now, so revocation takes effect at once.

import { timingSafeEqual } from "node:crypto";

import type { Clock } from "#kernel/time.ts";
import type { Actor, Database } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

import { hasEnded, hashOf, readKey } from "./api-key.ts";
import { type ApiKeyRow, findKeyByHash, markKeyUsed } from "./queries.ts";
import { expandScopes, kindOfKey } from "./scopes.ts";

/** Precision of `last_used_at`: at most one write per key and minute. */
const LAST_USED_STEP_MS = 60_000;
/** Compared when no key was found, so that a miss takes as long as a hit. */
const HASH_OF_NO_KEY = hashOf("");

export interface KeyHolder {
  readonly actor: Actor & { readonly id: string };
  readonly name: string;
  /** The namespace of its idempotency keys; a key that replaces another keeps it. */
  readonly lineage: string;
  readonly hasPresetFull: boolean;
  readonly mode: Mode;
  readonly scopes: ReadonlySet<string>;
  /** True if the key is publishable: strangers may hold it. */
  readonly isPublic: boolean;
  /** Requests per minute of this key; null means the server's default. */
  readonly ratePerMinute: number | null;
  /** Epoch milliseconds of real time; null means never. */
  readonly expiresAt: number | null;
}

/** Cached between requests. Validity does not depend on any of it. */
interface CachedKey {
  readonly scopesText: string;
  readonly scopes: ReadonlySet<string>;
  readonly isPublic: boolean;
  lastUsedAt: number | null;
}

/**
 * Returns a function that resolves a key to its holder, or to null if the key is malformed, unknown,
 * revoked or expired. `clock` is the machine's: keys expire in real time. `last_used_at` is written in
 * the background; a failed write is reported to `onFault` and affects no request.
 */
export function authenticator(
  databases: Readonly<Record<Mode, Database>>,
  clock: Clock,
  onFault: (error: unknown) => void,
): (key: string) => Promise<KeyHolder | null> {
  const cache = new Map<string, CachedKey>();
  return async (key) => {
    const mode = readKey(key)?.mode;
    if (mode === undefined) return null;
    const now = clock.now();
    const row = await findValidKey(databases[mode], key, now);
    if (row === null) return null;
    const cached = cachedKey(cache, row);
    if (cached.lastUsedAt === null || now - cached.lastUsedAt >= LAST_USED_STEP_MS) {
      cached.lastUsedAt = now;
      recordUse(databases[mode], row, now).catch(onFault);
    }
    const { scopes, isPublic } = cached;
    const { id, name, lineage, ratePerMinute, expiresAt } = row;
    const hasPresetFull = row.scopes.includes("full");
    const actor = { type: "api_key", id } as const;
    const limits = { ratePerMinute, expiresAt };
    return { actor, name, lineage, hasPresetFull, mode, scopes, isPublic, ...limits };
  };
}

async function findValidKey(
  database: Database,
  key: string,
  now: number,
): Promise<ApiKeyRow | null> {
  const hash = hashOf(key);
  const row = await findKeyByHash(database.read, hash);
  const isSame = timingSafeEqual(Buffer.from(hash), Buffer.from(row?.hash ?? HASH_OF_NO_KEY));
  return row === undefined || !isSame || hasEnded(row, now) ? null : row;
}

/** Builds the set of scopes once per key: it costs more than the rest of the authentication. */
function cachedKey(cache: Map<string, CachedKey>, row: ApiKeyRow): CachedKey {
  const scopesText = row.scopes.join(" ");
  const known = cache.get(row.id);
  if (known?.scopesText === scopesText) return known;
  const cached: CachedKey = {
    scopesText,
    scopes: expandScopes(row.scopes),
    isPublic: kindOfKey(row.scopes) === "publishable",
    lastUsedAt: row.lastUsedAt,
  };
  cache.set(row.id, cached);
  return cached;
}

/** Async, so that a synchronous throw of the database becomes a rejection as well. */
async function recordUse(database: Database, row: ApiKeyRow, now: number): Promise<void> {
  await database.write((tx) => markKeyUsed(tx, row.id, now));
}
