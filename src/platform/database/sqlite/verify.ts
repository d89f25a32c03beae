// A look at a database file that changes nothing and waits for nobody: for audits beside a running
// server. Invariant: everything an audit reads is of one instant, however long it takes.

import { existsSync } from "node:fs";
import { basename } from "node:path";

import type { VerifiedDatabase } from "#platform/database/database.ts";
import { DatabaseMissing, requireApplied } from "#platform/database/migrations.ts";

import { SqliteConnection } from "./connection.ts";
import { sqliteMigrations } from "./migrate.ts";
import { SqliteReader } from "./sqlite.ts";

/** How many faults of one file are told; more of them help nobody. */
const FAULTS_MAX = 100;

/** The same of a file, which is closed at once. */
export interface VerifiedFile extends VerifiedDatabase, Disposable {}

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
  const applied = names.map((row) => String(row["name"]));
  requireApplied(applied, sqliteMigrations, file);
}

function brokenPages(connection: SqliteConnection): string[] {
  return connection
    .command(`PRAGMA integrity_check(${FAULTS_MAX})`)
    .map((row) => String(row["integrity_check"]))
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
        `${String(row["rows"])} of ${String(row["child"])} point at nothing in ` +
        String(row["parent"]),
    );
}
