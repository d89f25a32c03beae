// SQL of API keys beside the statements of every record. Only `findKeyByHash` reads a hash, to compare it.

import { and, desc, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";
import { shownColumns, type WholeRowOf } from "#platform/database/record.ts";
import { remembered } from "#platform/database/remembered.ts";
import { statements } from "#platform/database/statements.ts";

import { keyNotFound } from "./api-key.ts";
import { type ApiKey, apiKeys } from "./tables.ts";

/** A key with its hash. */
export type ApiKeyRow = WholeRowOf<typeof apiKeys>;

const shown = shownColumns(apiKeys);

/** Statements of keys without their hashes. `get` and `lock` refuse with `key_not_found`. */
export const keyRows = statements(apiKeys, keyNotFound);

const keyByHash = prepared<{ hash: string }>()((db, at) =>
  db.select().from(apiKeys).where(eq(apiKeys.hash, at.hash)),
);

const keysAfter = preparedByFilters<{ limit: number; after: string | undefined }>()((db, given) =>
  db
    .select(shown)
    .from(apiKeys)
    .where(given.has("after") ? lt(apiKeys.id, given.one("after")) : undefined)
    .orderBy(desc(apiKeys.id))
    .limit(given.one("limit")),
);

/** Returns a key that a request was made with, if there is one. */
export const findUsedKeys = prepared()((db) =>
  db.select({ id: apiKeys.id }).from(apiKeys).where(isNotNull(apiKeys.lastUsedAt)).limit(1),
);

const markRevoked = preparedWrite<{ id: string; revokedAt: number }>()((tx, at) =>
  tx
    .update(apiKeys)
    .set({ revokedAt: sql`${at.revokedAt}` })
    .where(and(eq(apiKeys.id, at.id), isNull(apiKeys.revokedAt)))
    .returning(shown),
);

const markUsed = preparedWrite<{ id: string; usedAt: number }>()((tx, at) =>
  tx
    .update(apiKeys)
    .set({ lastUsedAt: sql`${at.usedAt}` })
    .where(
      and(eq(apiKeys.id, at.id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, at.usedAt))),
    ),
);

/** Sets the key's name. */
export const setKeyName = preparedWrite<{ id: string; name: string }>()((tx, at) =>
  tx
    .update(apiKeys)
    .set({ name: sql`${at.name}` })
    .where(eq(apiKeys.id, at.id)),
);

/** Sets when the key expires. */
export const setKeyExpiry = preparedWrite<{ id: string; expiresAt: number }>()((tx, at) =>
  tx
    .update(apiKeys)
    .set({ expiresAt: sql`${at.expiresAt}` })
    .where(eq(apiKeys.id, at.id)),
);

const rememberedKeys = remembered<string, ApiKeyRow>([apiKeys], async (db, hashes) => {
  const rows = await Promise.all(hashes.map((hash) => keyByHash(db, { hash })));
  return new Map(rows.flat().map((row) => [row.hash, row]));
});

/** Returns the key with this hash, even if it is revoked or expired. */
export async function findKeyByHash(db: Reader, hash: string): Promise<ApiKeyRow | undefined> {
  return (await rememberedKeys(db, [hash])).get(hash);
}

/** Returns one row more than the page holds, newest first. */
export function listKeyRows(db: Reader, page: PageRequest): Promise<ApiKey[]> {
  return keysAfter(db, { limit: page.limit + 1, after: page.after ?? undefined });
}

/** Revokes the key and returns it, or undefined if it does not exist or is already revoked. */
export async function markKeyRevoked(
  tx: Tx,
  id: Id<"key">,
  revokedAt: number,
): Promise<ApiKey | undefined> {
  return (await markRevoked(tx, { id, revokedAt }))[0];
}

/** Moves `last_used_at` forward; a later value that another program wrote is kept. */
export async function markKeyUsed(tx: Tx, id: Id<"key">, usedAt: number): Promise<void> {
  await markUsed(tx, { id, usedAt });
}
