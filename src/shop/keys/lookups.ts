// Lookups of API keys, including revoked and expired ones.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";

import { keyRows, listKeyRows } from "./queries.ts";
import type { ApiKey } from "./tables.ts";

/** Returns true if the shop has ever had a key; nothing else lets a request in. */
export async function hasKeys(db: Reader): Promise<boolean> {
  return (await listKeyRows(db, { limit: 1, after: null })).length > 0;
}

/** Returns true if the shop has a key of this id, even if it is revoked or expired. */
export async function hasKey(db: Reader, id: Id<"key">): Promise<boolean> {
  return (await keyRows.find(db, id)) !== undefined;
}

/** Returns a page of keys, newest first. */
export async function listKeys(db: Reader, page: PageRequest): Promise<Page<ApiKey>> {
  return toPage(await listKeyRows(db, page), page.limit);
}

/** The names of these keys by their ids; other texts have none. */
export async function findKeyNames(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = await keyRows.findAll(db, [...new Set(ids)]);
  return new Map(keys.map(({ id, name }) => [id, name]));
}

/** Keys read at once. */
const BATCH = 100;

/** Returns every key that is not revoked, newest first. */
export async function listActiveKeys(db: Reader): Promise<ApiKey[]> {
  const found: ApiKey[] = [];
  let after: string | null = null;
  for (;;) {
    const { rows, hasMore }: Page<ApiKey> = await listKeys(db, { limit: BATCH, after });
    found.push(...rows.filter(({ revokedAt }) => revokedAt === null));
    if (!hasMore) return found;
    after = rows.at(-1)?.id ?? null;
  }
}
