// Who holds a key. The prefix picks the database, so a test key cannot open the live shop. Invariant:
// validity is read anew for each request and never remembered; revocation bites at once.

import { timingSafeEqual } from "node:crypto";

import type { Clock } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

import { hashOf, readKey } from "./api-key.ts";
import { type ApiKeyRow, findKeyByHash, markKeyUsed } from "./queries.ts";
import { expandScopes } from "./scopes.ts";

/** How exactly it is told when a key was last used, in milliseconds; bounds the writes it costs. */
const LAST_USED_STEP_MS = 60_000;
/** Compared with where no key was found, so that a miss takes the steps of a hit. */
const HASH_OF_NO_KEY = hashOf("");

export interface KeyHolder {
  readonly keyId: string;
  readonly mode: Mode;
  readonly scopes: ReadonlySet<string>;
  /** Requests per minute of this key alone; null where the shop's own limit holds. */
  readonly ratePerMinute: number | null;
}

/** What is kept of a key between two requests; none of it decides whether the key is valid. */
interface Remembered {
  readonly scopesText: string;
  readonly scopes: ReadonlySet<string>;
  lastUsedAt: number | null;
}

/**
 * Answers the holder of a key, or null for a text that is no key and for a key that is unknown,
 * revoked or expired. The clock is the machine's: expiry is real time. Noting the use of a key
 * delays and fails no request; what goes wrong with it is told to `onFault`.
 */
export function authenticator(
  databases: Readonly<Record<Mode, Database>>,
  clock: Clock,
  onFault: (error: unknown) => void,
): (key: string) => Promise<KeyHolder | null> {
  const rememberedByKey = new Map<string, Remembered>();
  return async (key) => {
    const mode = readKey(key)?.mode;
    if (mode === undefined) return null;
    const now = clock.now();
    const row = await findValidKey(databases[mode], key, now);
    if (row === null) return null;
    const remembered = remember(rememberedByKey, row);
    if (isUseDue(remembered, now)) {
      remembered.lastUsedAt = now;
      noteUse(databases[mode], row, now).catch(onFault);
    }
    return { keyId: row.id, mode, scopes: remembered.scopes, ratePerMinute: row.ratePerMinute };
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
  if (row === undefined || !isSame || row.revokedAt !== null) return null;
  return row.expiresAt !== null && row.expiresAt <= now ? null : row;
}

/** Building a set of scopes costs more than all the rest, so it is built once for each key. */
function remember(rememberedByKey: Map<string, Remembered>, row: ApiKeyRow): Remembered {
  const scopesText = row.scopes.join(" ");
  const known = rememberedByKey.get(row.id);
  if (known?.scopesText === scopesText) return known;
  const remembered: Remembered = {
    scopesText,
    scopes: expandScopes(row.scopes),
    lastUsedAt: row.lastUsedAt,
  };
  rememberedByKey.set(row.id, remembered);
  return remembered;
}

function isUseDue(remembered: Remembered, now: number): boolean {
  return remembered.lastUsedAt === null || now - remembered.lastUsedAt >= LAST_USED_STEP_MS;
}

/** Async throughout, so that a store which throws at once is a rejection as well. */
async function noteUse(database: Database, row: ApiKeyRow, now: number): Promise<void> {
  await database.write((tx) => markKeyUsed(tx, row.id, now));
}
