// A real store in a folder of its own, with one table that is no noun's: crates. It has one of each
// constraint, so that the store can be tested without the shop.

import { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";

import { asc, count, eq, sql } from "drizzle-orm";

import { Refusal } from "#kernel/refusal.ts";
import type { Clock } from "#kernel/time.ts";
import { bool, int, json, table, text } from "#platform/store/kit.ts";
import { prepared, preparedInsert, preparedReplace } from "#platform/store/prepared.ts";
import { SqliteConnection } from "#platform/store/sqlite-connection.ts";
import { SqliteWriter } from "#platform/store/sqlite-writer.ts";
import { openSqliteStore } from "#platform/store/sqlite.ts";
import type { Reader, Store } from "#platform/store/store.ts";
import { passingVault } from "#platform/store/vault.ts";

import { openScratchFolder } from "./scratch.ts";

export const NOON = Date.UTC(2026, 2, 1, 12);
/** What a shop waits for that never closes. */
export const stillOpen: AbortSignal = new AbortController().signal;
/** A busy machine splits no group of a test. */
const UNHURRIED_MS = 60_000;
/** A clock that stands still at noon. */
export const noonClock: Clock = { now: () => NOON };

export const crates = table("crates", {
  id: text().primaryKey(),
  label: text(),
  quantity: int().notNull(),
  isSealed: bool("is_sealed").notNull(),
  /** Checked when it is written. */
  inside: text(),
  /** Checked only by COMMIT. */
  follows: text(),
  contents: json(),
  version: int().notNull(),
});

const CREATE_CRATES = `
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
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS crates_label_unique ON crates (label);`;

export type Crate = typeof crates.$inferSelect;

/** A crate that breaks no constraint; what is given replaces. */
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

/** Contents that need some twenty pages of the file. */
export const bulky = "x".repeat(80_000);

export const insertCrate = preparedInsert(crates);
export const replaceCrate = preparedReplace(crates);
const crateById = prepared<{ id: string }>()((db, at) =>
  db.select().from(crates).where(eq(crates.id, at.id)),
);

/** The crate with this id, if there is one. */
export async function findCrate(db: Reader, id: string): Promise<Crate | undefined> {
  return (await crateById(db, { id }))[0];
}

/** The ids of all crates, in order. */
export async function crateIds(db: Reader): Promise<string[]> {
  return (await db.select({ id: crates.id }).from(crates).orderBy(asc(crates.id))).map(
    (row) => row.id,
  );
}

const allCrates = prepared()((db) => db.select({ total: count() }).from(crates));

/** How many crates the handle sees. */
export async function crateCount(db: Reader): Promise<number> {
  return (await allCrates(db, {}))[0]?.total ?? 0;
}

/** Takes one out of a crate the way a careless caller would: read, then write what was computed. */
export async function takeOne(store: Store, id: string): Promise<void> {
  await store.write(async (tx) => {
    const [row] = await tx.select().from(crates).where(eq(crates.id, id));
    await Promise.resolve();
    await tx
      .update(crates)
      .set({ quantity: sql`${(row?.quantity ?? 0) - 1}` })
      .where(eq(crates.id, id));
  });
}

/** What somebody was told instead of an answer; null where there was one. */
export async function errorOf(told: PromiseLike<unknown>): Promise<Error | null> {
  try {
    await told;
    return null;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

/** The same of a refusal, as its code. */
export async function codeOf(told: PromiseLike<unknown>): Promise<string | null> {
  const error = await errorOf(told);
  return error instanceof Refusal ? error.definition.code : (error?.message ?? null);
}

export interface TestStore extends AsyncDisposable {
  readonly store: Store;
  readonly folder: string;
  readonly path: string;
  /** Closes the store and opens the same file again. */
  reopen(): Promise<Store>;
}

/** A migrated store with the crates table, at noon. */
export function openTestStore(clock: Clock = noonClock): TestStore {
  const folder = openScratchFolder();
  const path = folder.file("test.sqlite");
  let store = openCrateStore(path, clock);
  return {
    store,
    folder: folder.path,
    path,
    reopen: async () => {
      await store.close();
      store = openCrateStore(path, clock);
      return store;
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Opens the file as the server does, and adds the table. */
export function openCrateStore(path: string, clock: Clock = noonClock): Store {
  const { store } = openSqliteStore(path, {
    clock,
    vault: passingVault(),
    groupMsMax: UNHURRIED_MS,
  });
  using database = openBeside(path);
  database.run(CREATE_CRATES);
  return store;
}

export interface TestWriter extends Disposable {
  readonly writer: SqliteWriter;
  /** The connection it writes on, to make the engine fail for real. */
  readonly connection: SqliteConnection;
  readonly path: string;
  /** How often the log was said to have grown. */
  announced(): number;
  /** Lets the file grow no further, and says how to let it grow again. */
  fillDisk(): () => void;
  /** The ids of the crates that another connection sees. */
  committed(): string[];
}

/** The writer without the store around it. */
export async function openTestWriter(): Promise<TestWriter> {
  const folder = openScratchFolder();
  const path = folder.file("test.sqlite");
  await openCrateStore(path).close();
  const connection = SqliteConnection.openWriter(path);
  let announced = 0;
  const writer = new SqliteWriter(connection, {
    clock: noonClock,
    vault: passingVault(),
    groupMsMax: UNHURRIED_MS,
    lastSequence: 0,
    onAnnounced: () => (announced += 1),
  });
  return {
    writer,
    connection,
    path,
    announced: () => announced,
    fillDisk: () => {
      const { page_count: pages } = connection.driver
        .query<{ page_count: number }, []>("PRAGMA page_count")
        .get() ?? { page_count: 1 };
      connection.driver.run(`PRAGMA max_page_count = ${pages}`);
      return () => connection.driver.run("PRAGMA max_page_count = 1000000");
    },
    committed: () => {
      using database = openBeside(path);
      return database
        .query<{ id: string }, []>("SELECT id FROM crates ORDER BY id")
        .all()
        .map((row) => row.id);
    },
    [Symbol.dispose]: () => {
      connection.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A plain connection to the file, as a command beside the server has. */
export function openBeside(path: string): Database {
  const database = new Database(path, { strict: true });
  database.run("PRAGMA busy_timeout = 5000");
  return database;
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * The commits in the write-ahead log: the frames that carry the file's size (sqlite.org/walformat),
 * of the log's current round.
 */
export function commitsInLog(path: string): number {
  if (!existsSync(`${path}-wal`)) return 0;
  const log = readFileSync(`${path}-wal`);
  if (log.length < LOG_HEADER_BYTES) return 0;
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salt = log.toString("hex", 16, 24);
  let commits = 0;
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    if (log.toString("hex", at + 8, at + 16) !== salt) break;
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}
