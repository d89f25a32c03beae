// A real database in a folder of its own, with one table that belongs to no noun: crates. It has one of
// each constraint, so that the engine can be tested without the shop.

import { join } from "node:path";

import { asc, count, eq, sql } from "drizzle-orm";

import { Refusal } from "#kernel/refusal.ts";
import type { Clock } from "#kernel/time.ts";
import type { Database, Reader } from "#platform/database/database.ts";
import { engine } from "#platform/database/engine.ts";
import { bool, int, json, table, text } from "#platform/database/kit.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import {
  prepared,
  preparedInsert,
  preparedSave,
  preparedWrite,
} from "#platform/database/prepared.ts";
import type { Mode } from "#platform/database/shop.ts";
import { openSqliteDatabase } from "#platform/database/sqlite/sqlite.ts";
import { openVault } from "#platform/vault/vault.ts";

import { tamper } from "./behind-the-shop.ts";
import { databasePlace } from "./postgres-databases.ts";
import { openScratchFolder } from "./scratch.ts";
import { copyTemplateInto } from "./template-files.ts";

export const NOON = Date.UTC(2026, 2, 1, 12);
/** The closing signal of a shop that stays open. */
export const stillOpen: AbortSignal = new AbortController().signal;
/** Long enough that a busy machine never splits a group commit of a test. */
export const UNHURRIED_MS = 60_000;
/** One key for every opening, also in programs that a test starts, so that secrets stay readable. */
const vault = openVault("", Buffer.alloc(32, 7).toString("base64"));
/** A clock that stands at noon. */
export const noonClock: Clock = { now: () => NOON };

export const crates = table("crates", {
  id: text().primaryKey(),
  label: text(),
  quantity: int().notNull(),
  isSealed: bool("is_sealed").notNull(),
  /** Checked on writing. */
  inside: text(),
  /** Checked by COMMIT only. */
  follows: text(),
  contents: json(),
  version: int().notNull(),
});

const CREATE_CRATES = {
  sqlite: `
    CREATE TABLE IF NOT EXISTS crates (
      id TEXT PRIMARY KEY,
      label TEXT,
      quantity INTEGER NOT NULL,
      is_sealed INTEGER NOT NULL,
      inside TEXT REFERENCES crates (id),
      follows TEXT REFERENCES crates (id) DEFERRABLE INITIALLY DEFERRED,
      contents TEXT,
      version INTEGER NOT NULL,
      CONSTRAINT crates_quantity_not_negative CHECK (quantity >= 0)
    ) STRICT`,
  postgres: `
    CREATE TABLE IF NOT EXISTS crates (
      id text COLLATE "C" PRIMARY KEY,
      label text COLLATE "C",
      quantity integer NOT NULL,
      is_sealed boolean NOT NULL,
      inside text COLLATE "C" REFERENCES crates (id),
      follows text COLLATE "C" REFERENCES crates (id) DEFERRABLE INITIALLY DEFERRED,
      contents text,
      version integer NOT NULL,
      CONSTRAINT crates_quantity_not_negative CHECK (quantity >= 0)
    )`,
};
const CREATE_LABELS = "CREATE UNIQUE INDEX IF NOT EXISTS crates_label_unique ON crates (label)";

export type Crate = typeof crates.$inferSelect;

/** A crate that breaks no constraint, with the given fields replaced. */
export function crate(id: string, given: Partial<Crate> = {}): Crate {
  return {
    id,
    label: null,
    quantity: 1,
    isSealed: false,
    inside: null,
    follows: null,
    contents: null,
    version: 1,
    ...given,
  };
}

/** Contents that fill about twenty pages of the file. */
export const bulky = "x".repeat(80_000);

export const insertCrate = preparedInsert(crates);
export const saveCrate = preparedSave(crates);
const crateById = prepared<{ id: string }>()((db, at) =>
  db.select().from(crates).where(eq(crates.id, at.id)),
);

/** The crate with this id, if there is one. */
export async function findCrate(db: Reader, id: string): Promise<Crate | undefined> {
  return (await crateById(db, { id }))[0];
}

const allCrateIds = prepared()((db) =>
  db.select({ id: crates.id }).from(crates).orderBy(asc(crates.id)),
);

/** The ids of all crates, in order. */
export async function crateIds(db: Reader): Promise<string[]> {
  return (await allCrateIds(db, {})).map((row) => row.id);
}

const allCrates = prepared()((db) => db.select({ total: count() }).from(crates));

/** The number of crates that the handle sees. */
export async function crateCount(db: Reader): Promise<number> {
  return (await allCrates(db, {}))[0]?.total ?? 0;
}

const setQuantity = preparedWrite<{ id: string; quantity: number }>()((tx, at) =>
  tx
    .update(crates)
    .set({ quantity: sql`${at.quantity}` })
    .where(eq(crates.id, at.id)),
);

/** Takes one unit by reading and then writing the computed value: the race that stories must avoid. */
export async function takeOne(database: Database, id: string): Promise<void> {
  await database.write(async (tx) => {
    const row = await findCrate(tx, id);
    await Promise.resolve();
    await setQuantity(tx, { id, quantity: (row?.quantity ?? 0) - 1 });
  });
}

/** The error of a rejected promise; null when it resolves. */
export async function errorOf(promise: PromiseLike<unknown>): Promise<Error | null> {
  try {
    await promise;
    return null;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

/** The code of a refusal, or the message of another error; null when the promise resolves. */
export async function codeOf(promise: PromiseLike<unknown>): Promise<string | null> {
  const error = await errorOf(promise);
  return error instanceof Refusal ? error.definition.code : (error?.message ?? null);
}

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  /** The data directory. */
  readonly folder: string;
  /** The file of the embedded engine. */
  readonly path: string;
  /** Closes the database and opens it again. */
  reopen(): Promise<Database>;
}

/** A migrated database with the crates table, at noon. */
export async function openTestDatabase(clock: Clock = noonClock): Promise<TestDatabase> {
  const folder = openScratchFolder();
  let database = await openCrateDatabase(folder.path, clock);
  return {
    database,
    folder: folder.path,
    path: folder.file("test.sqlite"),
    reopen: async () => {
      await database.close();
      database = await openCrateDatabase(folder.path, clock);
      return database;
    },
    [Symbol.asyncDispose]: async () => {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

/** The test database of a directory, with the crates table. Group commits are not split. */
export async function openCrateDatabase(
  directory: string,
  clock: Clock = noonClock,
): Promise<Database> {
  const database = await openModeDatabase(directory, "test", clock);
  await tamper(directory, CREATE_CRATES[engine], CREATE_LABELS);
  return database;
}

/** The database of one mode without the shop, opened as the server opens it. */
export async function openModeDatabase(
  directory: string,
  mode: Mode,
  clock: Clock = noonClock,
): Promise<Database> {
  const terms = { clock, vault };
  if (engine === "sqlite") {
    const groups = { ...terms, groupMsMax: UNHURRIED_MS };
    copyTemplateInto(directory, [mode]);
    return openSqliteDatabase(join(directory, `${mode}.sqlite`), groups).database;
  }
  const onFault = (error: unknown) => {
    throw error;
  };
  return (await openDatabase(mode, await databasePlace(directory), { ...terms, onFault })).database;
}
