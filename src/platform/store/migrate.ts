// Brings a SQLite file to this program's schema. A database that a newer program wrote is refused,
// and a file that holds data is copied beside itself before anything in it changes.

import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import type { Clock } from "#kernel/time.ts";

import { embeddedMigrations } from "./embedded.ts" with { type: "macro" };
import type { EmbeddedMigration } from "./embedded.ts";

export const sqliteMigrations: readonly EmbeddedMigration[] = embeddedMigrations("sqlite");

/** The file was written by another program than this one; nothing was changed. */
export class SchemaMismatch extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = "SchemaMismatch";
  }
}

export interface MigrationReport {
  readonly applied: readonly string[];
  /** Where the copy from before lies; null when there was nothing to copy. */
  readonly snapshot: string | null;
}

interface AppliedRow {
  readonly name: string;
  readonly hash: string;
}

export interface MigrateOptions {
  readonly clock: Clock;
  readonly migrations?: readonly EmbeddedMigration[];
}

/** Afterwards the file has exactly the schema of the migrations; each one commits by itself. */
export function migrate(path: string, options: MigrateOptions): MigrationReport {
  const migrations = options.migrations ?? sqliteMigrations;
  const database = new Database(path, { create: true, readwrite: true, strict: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = FULL");
    // Rebuilding a parent table must not delete its children; the pragma has no effect inside a
    // transaction, so it is set for the whole connection and the keys are checked before COMMIT.
    database.run("PRAGMA foreign_keys = OFF");
    const missing = missingMigrations(readApplied(database), migrations);
    const holdsRows = missing.length > 0 && missing.length < migrations.length;
    const snapshot = holdsRows ? takeSnapshot(database, path, options.clock) : null;
    for (const migration of missing) apply(database, migration, options.clock);
    return { applied: missing.map((migration) => migration.name), snapshot };
  } finally {
    database.close(true);
  }
}

function readApplied(database: Database): AppliedRow[] {
  const exists = database
    .query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'")
    .get();
  if (exists === null) return [];
  return database.query<AppliedRow, []>("SELECT name, hash FROM migrations ORDER BY name").all();
}

function missingMigrations(
  applied: readonly AppliedRow[],
  migrations: readonly EmbeddedMigration[],
): readonly EmbeddedMigration[] {
  applied.forEach((row, index) => {
    const known = migrations[index];
    if (known === undefined || known.name !== row.name) {
      throw new SchemaMismatch(
        `The database has the migration ${row.name}, which this program does not know. ` +
          "It was written by a newer Duka: run that one, or restore a backup.",
      );
    }
    if (hashOf(known) !== row.hash) {
      throw new SchemaMismatch(
        `The migration ${row.name} in the database differs from the one in this program.`,
      );
    }
  });
  return migrations.slice(applied.length);
}

function takeSnapshot(database: Database, path: string, clock: Clock): string {
  const folder = join(dirname(path), "snapshots");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-");
  const copy = join(folder, `${basename(path, ".sqlite")}-${stamp}.sqlite`);
  database.prepare("VACUUM INTO ?").run(copy);
  return copy;
}

function apply(database: Database, migration: EmbeddedMigration, clock: Clock): void {
  database.run("BEGIN EXCLUSIVE");
  try {
    database.run(
      "CREATE TABLE IF NOT EXISTS migrations " +
        "(name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
    );
    for (const statement of migration.text.split("--> statement-breakpoint")) {
      if (statement.trim() !== "") database.run(statement);
    }
    const broken = database.query("PRAGMA foreign_key_check").all();
    if (broken.length > 0) {
      throw new Error(`The migration ${migration.name} would break ${broken.length} references.`);
    }
    database
      .prepare("INSERT INTO migrations (name, hash, applied_at) VALUES (?, ?, ?)")
      .run(migration.name, hashOf(migration), clock.now());
    database.run("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.run("ROLLBACK");
    throw error;
  }
}

function hashOf(migration: EmbeddedMigration): string {
  return new Bun.CryptoHasher("sha256").update(migration.text).digest("hex");
}
