// Lookups that are asked with nearly every request, and change rarely.

import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

import { assume } from "#kernel/assume.ts";
import type { Reader } from "#platform/database/database.ts";

import { rememberedTables } from "./row-memory.ts";

/** Returns what there is under these keys; nothing for the others. */
type FindAll<K extends string, T> = (db: Reader, keys: readonly K[]) => Promise<ReadonlyMap<K, T>>;

/**
 * The same lookup, which reads each key once until one of the tables changes. They are all tables that it reads, and
 * no caller may change what it returns.
 */
export function remembered<K extends string, T>(
  tables: readonly PgTable[],
  findAll: FindAll<K, T>,
): FindAll<K, T> {
  for (const table of tables) rememberedTables.add(getTableName(table));
  return async (db, keys) => {
    const { memory } = db;
    const known = asAnswers<K, T>(memory?.answersOf(findAll) ?? null);
    if (memory === undefined || known === null) return findAll(db, keys);
    const missing = keys.filter((key) => !known.has(key));
    if (missing.length > 0) {
      const { generation } = memory;
      const found = await findAll(db, missing);
      if (memory.generation !== generation) return findAll(db, keys);
      for (const [key, value] of found) known.set(key, value);
    }
    return valuesOf(known, keys);
  };
}

/** The same for what there is one of at most. */
export function rememberedOne<T>(
  tables: readonly PgTable[],
  find: (db: Reader) => Promise<T | undefined>,
): (db: Reader) => Promise<T | undefined> {
  const findAll = remembered<"", T>(tables, async (db) => {
    const found = await find(db);
    return new Map(found === undefined ? [] : [["", found]]);
  });
  return async (db) => (await findAll(db, [""])).get("");
}

function valuesOf<K, T>(known: ReadonlyMap<K, T>, keys: readonly K[]): ReadonlyMap<K, T> {
  const found = new Map<K, T>();
  for (const key of keys) {
    const value = known.get(key);
    if (value !== undefined) found.set(key, value);
  }
  return found;
}

/** The cast of what is known to the answers of its lookup. */
function asAnswers<K, T>(known: Map<string, unknown> | null): Map<K, T> | null {
  return assume<Map<K, T> | null>(known);
}
