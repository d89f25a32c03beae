// Migrates a SQLite file to this program's schema. Refuses a database of a newer program, and
// copies a file that holds data before it changes anything.

import { Database as SqliteFile, SQLiteError } from "bun:sqlite";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { randomBytes } from "#kernel/random.ts";
import { type Clock, monotonicMs, realClock } from "#kernel/time.ts";
import { embeddedMigrations } from "#platform/database/embedded.ts" with { type: "macro" };
import type { EmbeddedMigration } from "#platform/database/embedded.ts";
import {
  type AppliedMigration,
  hashOf,
  type MigrationReport,
  missingMigrations,
  type NewestProgram,
  type OnStep,
  selectNewest,
  statementsOf,
  type StoredSchema,
} from "#platform/database/migrations.ts";

export const sqliteMigrations: readonly EmbeddedMigration[] = embeddedMigrations("sqlite");

export const MIGRATIONS_TABLE =
  "CREATE TABLE IF NOT EXISTS migrations " +
  "(name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT";

/** How long to wait for another process that migrates the same file, milliseconds. */
const LOCK_TIMEOUT_MS = 60_000;
/** Pause between two attempts, milliseconds. */
const RETRY_PAUSE_MS = 5;
/** Copies that are kept per database: of the last two upgrades. */
const SNAPSHOTS_KEPT = 2;
/** A copy written more recently than this may be another process's copy in progress. */
const UNFINISHED_MS_MAX = 3_600_000;

export interface MigrateOptions {
  readonly clock: Clock;
  readonly migrations?: readonly EmbeddedMigration[];
  /** Not called for a new database. */
  readonly onStep?: OnStep | undefined;
}

/** Applies the missing migrations: each one commits by itself, those of a new file together. */
export function migrate(path: string, options: MigrateOptions): MigrationReport {
  const database = new SqliteFile(path, { create: true, readwrite: true, strict: true });
  try {
    return migrateOn(database, path, options);
  } finally {
    database.close(true);
  }
}

/**
 * The same on a connection to the file, which then waits long for locks and checks no foreign keys. A start goes on with
 * it: to open the file once more reads its schema again, and the log that the last connection deleted is made anew.
 */
export function migrateOn(
  database: SqliteFile,
  path: string,
  options: MigrateOptions,
): MigrationReport {
  const migrations = options.migrations ?? sqliteMigrations;
  database.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
  enableWriteAheadLog(database);
  database.run("PRAGMA synchronous = FULL");
  // Rebuilding a parent table must not delete its children. The pragma has no effect inside a
  // transaction, so it is set for the whole connection, and foreign keys are checked before
  // COMMIT.
  database.run("PRAGMA foreign_keys = OFF");
  const stored = readStored(database);
  const missing = missingMigrations(stored, migrations);
  const hasData = missing.length > 0 && missing.length < migrations.length;
  const onStep = hasData ? options.onStep : undefined;
  onStep?.({ step: "snapshot", number: 0, of: missing.length });
  const snapshot = hasData ? takeSnapshot(database, path, options.clock) : null;
  const isNew = stored.applied.length === 0;
  const applied = applyAll(database, missing, { clock: options.clock, snapshot, isNew, onStep });
  // The process that migrated first may be a newer program.
  if (applied.length < missing.length) missingMigrations(readStored(database), migrations);
  if (snapshot !== null) deleteOldSnapshots(path);
  return { applied, snapshot, writer: stored.newest?.version ?? null };
}

/** Retries, because the busy timeout does not cover two processes that enable WAL on a new file. */
function enableWriteAheadLog(database: SqliteFile): void {
  const end = monotonicMs() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      database.run("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      const isBusy = error instanceof SQLiteError && error.code === "SQLITE_BUSY";
      if (!isBusy || monotonicMs() > end) throw error;
    }
    Bun.sleepSync(RETRY_PAUSE_MS);
  }
}

/** Reads the schema of a file of any version. */
export function readStored(database: SqliteFile): StoredSchema {
  return { applied: readApplied(database), newest: readNewest(database) };
}

function readApplied(database: SqliteFile): AppliedMigration[] {
  if (!hasTable(database, "migrations")) return [];
  return database
    .query<AppliedMigration, []>("SELECT name, hash FROM migrations ORDER BY name")
    .all();
}

function readNewest(database: SqliteFile): NewestProgram | null {
  if (!hasTable(database, "versions")) return null;
  const row = database
    .query<{ version: string; schema: number; oldest_beside: number }, []>(selectNewest("versions"))
    .get();
  return row === null ? null : { ...row, oldestBeside: row.oldest_beside };
}

function hasTable(database: SqliteFile, name: string): boolean {
  return (
    database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !==
    null
  );
}

function takeSnapshot(database: SqliteFile, path: string, clock: Clock): string {
  const { folder, prefix } = snapshotsOf(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-");
  // A random mark keeps the copies of concurrent and repeated upgrades apart.
  const mark = Buffer.from(randomBytes(3)).toString("hex");
  const copy = join(folder, `${prefix}${stamp}-${mark}.sqlite`);
  database.prepare("VACUUM INTO ?").run(copy);
  return copy;
}

function snapshotsOf(path: string) {
  return { folder: join(dirname(path), "snapshots"), prefix: `${basename(path, ".sqlite")}-` };
}

/** Deletes old copies, since each is as large as the shop was. Their names sort by time. */
function deleteOldSnapshots(path: string): void {
  const { folder, prefix } = snapshotsOf(path);
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .toSorted()
    .map((name) => join(folder, name));
  const before = realClock.now() - UNFINISHED_MS_MAX;
  for (const copy of copies.slice(0, -SNAPSHOTS_KEPT)) {
    if (statSync(copy).mtimeMs < before) rmSync(copy, { force: true });
  }
}

/** Returns the names of the migrations that this process applied. A first start waits for the disk once. */
function applyAll(
  database: SqliteFile,
  missing: readonly EmbeddedMigration[],
  options: MigrateOptions & { readonly snapshot: string | null; readonly isNew: boolean },
): string[] {
  const { clock, snapshot, isNew, onStep } = options;
  if (isNew) return apply(database, missing, clock);
  const applied: string[] = [];
  try {
    for (const [index, migration] of missing.entries()) {
      onStep?.({ step: migration.name, number: index + 1, of: missing.length });
      applied.push(...apply(database, [migration], clock));
    }
    return applied;
  } catch (error) {
    // The file is unchanged and equals its copy; without this, every retry would leave a copy.
    if (snapshot !== null && applied.length === 0) rmSync(snapshot);
    throw error;
  }
}

/** Applies these in one transaction, less those that another process has applied meanwhile. Returns their names. */
function apply(database: SqliteFile, given: readonly EmbeddedMigration[], clock: Clock): string[] {
  database.run("BEGIN EXCLUSIVE");
  try {
    database.run(MIGRATIONS_TABLE);
    const known = new Set(readApplied(database).map(({ name }) => name));
    const applied = given.filter(({ name }) => !known.has(name));
    for (const migration of applied) applyOne(database, migration, clock);
    database.run("COMMIT");
    return applied.map(({ name }) => name);
  } catch (error) {
    if (database.inTransaction) database.run("ROLLBACK");
    throw error;
  }
}

function applyOne(database: SqliteFile, migration: EmbeddedMigration, clock: Clock): void {
  for (const statement of statementsOf(migration)) database.run(statement);
  const broken = database.query("PRAGMA foreign_key_check").all();
  if (broken.length > 0) {
    throw new Error(
      `The migration ${migration.name} would leave ${broken.length} dangling references.`,
    );
  }
  database
    .prepare("INSERT INTO migrations (name, hash, applied_at) VALUES (?, ?, ?)")
    .run(migration.name, hashOf(migration), clock.now());
}
