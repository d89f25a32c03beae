// Opens a database file for an audit beside a running server, without changing or locking it.
// Invariant: the audit reads one snapshot, however long it takes.

import { Database as SqliteFile } from "bun:sqlite";
import { existsSync } from "node:fs";
import { basename } from "node:path";

import type { Difference } from "#kernel/difference.ts";
import type { Reader, VerifiedDatabase } from "#platform/database/database.ts";
import {
  type CountedSchema,
  DatabaseMissing,
  requireApplied,
  statementsOf,
} from "#platform/database/migrations.ts";
import { closedVault } from "#platform/vault/vault.ts";

import { NOT_OF_LITESTREAM, SqliteConnection } from "./connection.ts";
import { MIGRATIONS_TABLE, readStored, sqliteMigrations } from "./migrate.ts";
import { SqliteReader } from "./sqlite.ts";

// The schema of a file, compared with the one that this program's migrations make. A trigger, view
// or table that no migration made runs with the shop's own writes, or keeps what they write.

/** The objects that SQLite makes by itself: indexes of constraints, and statistics. */
const OWN = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
/** A trigger of such a name would run with the shop's own writes all the same. */
const DEFINITIONS = `SELECT type || ' ' || name AS subject, sql FROM sqlite_schema
  WHERE ${OWN} AND (type <> 'table' OR ${NOT_OF_LITESTREAM})`;

/** The text of each definition by its kind and name, such as `trigger orders_are_final`. */
type Definitions = ReadonlyMap<string, string>;

interface DefinitionRow {
  readonly subject: string;
  readonly sql: string | null;
}

/** Every definition that is not the one of the migrations up to the file's own. */
function schemaDifferences(connection: SqliteConnection): Difference[] {
  const found = definitions(
    connection.command(DEFINITIONS).map((row) => ({
      subject: String(row["subject"]),
      sql: String(row["sql"]),
    })),
  );
  const applied = found.has("table migrations")
    ? Number(connection.command("SELECT count(*) AS applied FROM migrations")[0]?.["applied"])
    : 0;
  const expected = definitionsAfter(applied);
  const isNewer = applied > sqliteMigrations.length;
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((subject) => expected.get(subject) !== found.get(subject))
    .filter(
      (subject) => !(isNewer && isAddition(subject, expected.get(subject), found.get(subject))),
    )
    .map((subject) => ({
      subject,
      what: "definition",
      expected: expected.has(subject) ? "that of this version" : "none",
      found: describe(expected.has(subject), found.get(subject)),
    }));
}

/** True for a table or index that this program does not know, and for further columns of a table that it knows. */
function isAddition(
  subject: string,
  expected: string | undefined,
  found: string | undefined,
): boolean {
  if (expected === undefined) return /^(?:table|index) /.test(subject);
  if (found === undefined || found.length <= expected.length) return false;
  let same = 0;
  while (same < expected.length && expected[same] === found[same]) same += 1;
  const added = found.slice(same, same + found.length - expected.length);
  return added.includes(",") && found.endsWith(expected.slice(same));
}

function describe(isExpected: boolean, definition: string | undefined): string {
  if (definition === undefined) return "none";
  return isExpected ? "another" : "one that Duka did not make";
}

/** The schema after so many migrations, from a file in memory. */
function definitionsAfter(applied: number): Definitions {
  const fresh = new SqliteFile(":memory:");
  try {
    if (applied > 0) fresh.run(MIGRATIONS_TABLE);
    for (const migration of sqliteMigrations.slice(0, applied)) {
      for (const statement of statementsOf(migration)) fresh.run(statement);
    }
    return definitions(fresh.query<DefinitionRow, []>(DEFINITIONS).all());
  } finally {
    fresh.close(true);
  }
}

/** Without differences of spacing and quotes, which versions of SQLite write in their own way. */
function definitions(rows: readonly DefinitionRow[]): Definitions {
  return new Map(
    rows.map(({ subject, sql }) => [subject, (sql ?? "").replaceAll(/[\s"`]+/g, " ").trim()]),
  );
}

/** The most faults reported per file. */
const FAULTS_MAX = 100;

/** A verified file, which can also be closed synchronously. */
interface VerifiedFile extends VerifiedDatabase, Disposable {}

/**
 * Opens a file without migrating or locking it; the reader opens what is sealed with the vault. Throws
 * DatabaseMissing, and SchemaMismatch if its schema is not this program's.
 */
export function openForVerification(path: string, vault = closedVault): VerifiedFile {
  if (!existsSync(path)) throw new DatabaseMissing(path);
  const connection = SqliteConnection.openReader(path);
  try {
    connection.command("BEGIN");
    requireApplied(readStored(connection.driver), sqliteMigrations, basename(path));
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

/** Reads the schema of a file of any version, and counts the rows of these tables. Throws DatabaseMissing. */
export function readFileSchema(path: string, tables: readonly string[]): CountedSchema {
  if (!existsSync(path)) throw new DatabaseMissing(path);
  const connection = SqliteConnection.openReader(path);
  try {
    connection.command("BEGIN");
    const names = connection.command("SELECT name FROM sqlite_schema WHERE type = 'table'");
    const there = new Set(names.map((row) => String(row["name"])));
    const counted = tables
      .filter((table) => there.has(table))
      .map((table): [string, number] => {
        const [row] = connection.command(`SELECT count(*) AS rows FROM "${table}"`);
        return [table, Number(row?.["rows"] ?? 0)];
      });
    return { ...readStored(connection.driver), rows: new Map(counted) };
  } finally {
    connection.close();
  }
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
