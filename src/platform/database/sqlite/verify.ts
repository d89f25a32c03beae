// Opens a database file for an audit beside a running server, without changing or locking it.
// Invariant: the audit reads one snapshot, however long it takes.

import { existsSync } from "node:fs";
import { basename } from "node:path";

import type { Difference } from "#kernel/difference.ts";
import type { Reader, VerifiedDatabase } from "#platform/database/database.ts";
import { DatabaseMissing, requireApplied } from "#platform/database/migrations.ts";
import { closedVault } from "#platform/vault/vault.ts";

import { SqliteConnection } from "./connection.ts";
import { sqliteMigrations } from "./migrate.ts";
import { schemaDifferences } from "./schema.ts";
import { SqliteReader } from "./sqlite.ts";

/** The most faults reported per file. */
const FAULTS_MAX = 100;

/** A verified file, which can also be closed synchronously. */
export interface VerifiedFile extends VerifiedDatabase, Disposable {}

/**
 * Opens a file without migrating or locking it; the reader opens what is sealed with the vault. Throws
 * DatabaseMissing, and SchemaMismatch if its schema is not this program's.
 */
export function openForVerification(path: string, vault = closedVault): VerifiedFile {
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
    reader: new SqliteReader(connection, vault),
    faults: () => [...brokenPages(connection), ...brokenReferences(connection)],
    schemaDifferences: () => schemaDifferences(connection),
    [Symbol.dispose]: () => connection.close(),
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}

/** Opens a file of any version, to read what every version has. */
export function openOfAnyVersion(path: string): Disposable & { readonly reader: Reader } {
  const connection = SqliteConnection.openReader(path);
  return {
    reader: new SqliteReader(connection),
    [Symbol.dispose]: () => connection.close(),
  };
}

/** The differences of a file of any version from the migrations that were applied to it. */
export function schemaDifferencesOf(path: string): Difference[] {
  const connection = SqliteConnection.openReader(path);
  try {
    return schemaDifferences(connection);
  } finally {
    connection.close();
  }
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
        `${String(row["rows"])} of ${String(row["child"])} refer to missing rows of ` +
        String(row["parent"]),
    );
}
