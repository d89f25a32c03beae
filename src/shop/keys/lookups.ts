// Lookups of API keys, including revoked and expired ones.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Actor, Reader } from "#platform/database/database.ts";

import { findUsedKeys, keyRows, listKeyRows } from "./queries.ts";
import type { ApiKey } from "./tables.ts";

/** Returns true if the shop has ever had a key; nothing else lets a request in. */
export async function hasKeys(db: Reader): Promise<boolean> {
  return (await listKeyRows(db, { limit: 1, after: null })).length > 0;
}

/** Returns true once a request was made with a key of the shop, even if it is revoked now. */
export async function wasKeyUsed(db: Reader): Promise<boolean> {
  return (await findUsedKeys(db, {})).length > 0;
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
async function findKeyNames(
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
    await nextTurn();
    const { rows, hasMore }: Page<ApiKey> = await listKeys(db, { limit: BATCH, after });
    found.push(...rows.filter(({ revokedAt }) => revokedAt === null));
    if (!hasMore) return found;
    after = rows.at(-1)?.id ?? null;
  }
}

// Lookup: who acted, by name.

export interface NamedActor extends Omit<Actor, "name"> {
  /** That of the key or the person; null for the command line and the shop itself. */
  readonly name: string | null;
}

/** A row with the name of who acted. */
export type WithNamedActor<Row extends { readonly actor: Actor }> = Omit<Row, "actor"> & {
  readonly actor: NamedActor;
};

/** The rows with the names of who acted. A key has the name that it has now, a person the one of that time. */
export async function nameActors<Row extends { readonly actor: Actor }>(
  db: Reader,
  rows: readonly Row[],
): Promise<WithNamedActor<Row>[]> {
  const ids = rows.flatMap(({ actor }) => (actor.type === "api_key" ? (actor.id ?? []) : []));
  const keys = await findKeyNames(db, ids);
  return rows.map(({ actor: { type, id, name = keys.get(id ?? "") }, ...row }) => ({
    ...row,
    actor: { type, id, name: name ?? null },
  }));
}
