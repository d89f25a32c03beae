// A look at a database file that changes nothing and waits for nobody: for audits beside a running
// server. Invariant: everything an audit reads is of one instant, however long it takes.

import { existsSync } from "node:fs";
import { basename } from "node:path";

import type { Reader } from "#platform/database/database.ts";
import type { EmbeddedMigration } from "#platform/database/embedded.ts";

import { SqliteConnection } from "./connection.ts";
import { SchemaMismatch, sqliteMigrations } from "./migrate.ts";
import { SqliteReader } from "./sqlite.ts";

/** How many faults of one file are told; more of them help nobody. */
const FAULTS_MAX = 100;

/** A database under audit. Disposing it ends the snapshot. */
export interface VerifiedDatabase extends AsyncDisposable {
  /** Sees what was committed when the database was opened, and nothing later. */
  readonly reader: Reader;
  /** What the engine itself finds wrong: broken pages and indexes, rows that point nowhere. */
  faults(): string[];
}

/** The same of a file, which is closed at once. */
export interface VerifiedFile extends VerifiedDatabase, Disposable {}

/** There is no such file. */
export class DatabaseMissing extends Error {
  constructor(path: string) {
    super(`There is no database at ${path}.`);
    this.name = "DatabaseMissing";
  }
}

/**
 * Opens a file without migrating or locking it. Throws DatabaseMissing, and SchemaMismatch where
 * the file has another schema than this program.
 */
export function openForVerification(path: string): VerifiedFile {
  if (!existsSync(path)) throw new DatabaseMissing(path);
  const connection = SqliteConnection.openReader(path);
  try {
    connection.command("BEGIN");
    requireThisSchema(connection, basename(path));
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    reader: new SqliteReader(connection),
    faults: () => [...brokenPages(connection), ...brokenReferences(connection)],
    [Symbol.dispose]: () => connection.close(),
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}

function requireThisSchema(connection: SqliteConnection, file: string): void {
  const tables = connection.command("SELECT name FROM sqlite_schema WHERE name = 'migrations'");
  const names =
    tables.length === 0 ? [] : connection.command("SELECT name FROM migrations ORDER BY name");
  const applied = names.map((row) => textOf(row, "name"));
  requireApplied(applied, sqliteMigrations, file);
}

/** Throws SchemaMismatch where not exactly these migrations were applied to a database. */
export function requireApplied(
  applied: readonly string[],
  migrations: readonly EmbeddedMigration[],
  database: string,
): void {
  const strange = applied.find((name, index) => name !== migrations[index]?.name);
  if (strange !== undefined) {
    throw new SchemaMismatch(
      `${database} has the migration ${strange}, which this program does not know. ` +
        "It was written by a newer Duka: check it with that one.",
    );
  }
  if (applied.length < migrations.length) {
    throw new SchemaMismatch(
      `${database} has the schema of an older Duka. Run \`duka migrate\` first, or check it with that one.`,
    );
  }
}

function brokenPages(connection: SqliteConnection): string[] {
  return connection
    .command(`PRAGMA integrity_check(${FAULTS_MAX})`)
    .map((row) => textOf(row, "integrity_check"))
    .filter((line) => line !== "ok");
}

function brokenReferences(connection: SqliteConnection): string[] {
  return connection
    .command(
      `SELECT "table" AS child, parent, count(*) AS rows
       FROM pragma_foreign_key_check GROUP BY 1, 2 LIMIT ${FAULTS_MAX}`,
    )
    .map(
      (row) =>
        `${textOf(row, "rows")} of ${textOf(row, "child")} point at nothing in ` +
        textOf(row, "parent"),
    );
}

function textOf(row: unknown, column: string): string {
  return typeof row === "object" && row !== null ? String(Reflect.get(row, column)) : "";
}
