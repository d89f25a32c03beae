// Lookups that are asked with nearly every request, and whose rows change less often than they are read.

import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

import { assume } from "#kernel/assume.ts";

import type { Reader } from "./database.ts";
import { type LookupTerms, rememberedTables } from "./row-memory.ts";

/** Answers that stay of one lookup, and those that are whole resources, which weigh more. */
const ANSWERS_MAX = 5_000;
const RESOURCES_MAX = 1_000;

/** Returns what there is under these keys; nothing for the others. */
type FindAll<K extends string, T> = (db: Reader, keys: readonly K[]) => Promise<ReadonlyMap<K, T>>;

/**
 * The same lookup, which reads each key once until one of the tables changes. They are all tables that it reads, and
 * no caller may change what it returns.
 */
export function remembered<K extends string, T>(
  tables: readonly PgTable[],
  findAll: FindAll<K, T>,
  { areResources = false }: { readonly areResources?: boolean } = {},
): FindAll<K, T> {
  const terms = termsOf(tables, { most: areResources ? RESOURCES_MAX : ANSWERS_MAX });
  return async (db, keys) => {
    const memory = db.memory?.of(findAll, terms);
    if (memory === undefined || memory.isClosed) return findAll(db, keys);
    const known = asAnswers<K, T>(memory.answers);
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

/** The same for a question in plain values. Fewer answers stay where they weigh more. */
export function rememberedAnswer<Question, T>(
  tables: readonly (PgTable | string)[],
  find: (db: Reader, question: Question) => Promise<T>,
  given: Pick<Partial<LookupTerms>, "most"> = {},
): (db: Reader, question: Question) => Promise<T> {
  const terms = termsOf(tables, given);
  return async (db, question) => {
    // By its terms: the same lookup can be remembered in two ways.
    const memory = db.memory?.of(terms, terms);
    if (memory === undefined || memory.isClosed) return find(db, question);
    const known = asAnswers<string, T>(memory.answers);
    const key = JSON.stringify(question);
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    const { generation } = memory;
    const found = await find(db, question);
    if (memory.generation !== generation) return find(db, question);
    known.set(key, found);
    return found;
  };
}

/** How something is read that has a version, which rises with each change of what is read. */
interface VersionedLookup<K, T> {
  readonly tables: readonly PgTable[];
  /** Reads the version alone; undefined if there is nothing. */
  readonly findVersion: (db: Reader, key: K) => Promise<number | undefined>;
  readonly find: (db: Reader, key: K) => Promise<T>;
  readonly versionOf: (found: T) => number;
}

/** The same for what has a version: the whole is read once for each version of it. */
export function rememberedVersion<K extends string, T>({
  tables,
  findVersion,
  find,
  versionOf,
}: VersionedLookup<K, T>): (db: Reader, key: K) => Promise<T> {
  const terms = termsOf(tables, { hasVersions: true, most: RESOURCES_MAX });
  return async (db, key) => {
    const memory = db.memory?.of(find, terms);
    if (memory === undefined || memory.isClosed) return find(db, key);
    const known = asAnswers<K, T>(memory.answers);
    const answer = known.get(key);
    if (answer !== undefined && versionOf(answer) === (await findVersion(db, key))) return answer;
    const { generation } = memory;
    const found = await find(db, key);
    if (memory.generation === generation) known.set(key, found);
    return found;
  };
}

function termsOf(
  tables: readonly (PgTable | string)[],
  given: Partial<LookupTerms> = {},
): LookupTerms {
  return { tables: watched(tables), hasVersions: false, most: ANSWERS_MAX, ...given };
}

/**
 * The names of tables whose changes the memory notices from here on, so that it can name their state. Those of another noun
 * are given by their names.
 */
export function watched(tables: readonly (PgTable | string)[]): readonly string[] {
  const names = tables.map((one) => (typeof one === "string" ? one : getTableName(one)));
  for (const name of names) rememberedTables.add(name);
  return names;
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
function asAnswers<K, T>(known: Map<string, unknown>): Map<K, T> {
  return assume<Map<K, T>>(known);
}
