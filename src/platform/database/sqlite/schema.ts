// The schema of a file, compared with the one that this program's migrations make. A trigger, view
// or table that no migration made runs with the shop's own writes, or keeps what they write.

import { Database as SqliteFile } from "bun:sqlite";

import type { Difference } from "#kernel/difference.ts";
import { statementsOf } from "#platform/database/migrations.ts";

import type { SqliteConnection } from "./connection.ts";
import { MIGRATIONS_TABLE, sqliteMigrations } from "./migrate.ts";

/** The objects that SQLite makes by itself: indexes of constraints, and statistics. */
const OWN = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
const DEFINITIONS = `SELECT type || ' ' || name AS subject, sql FROM sqlite_schema WHERE ${OWN}`;

/** The text of each definition by its kind and name, such as `trigger orders_are_final`. */
type Definitions = ReadonlyMap<string, string>;

interface DefinitionRow {
  readonly subject: string;
  readonly sql: string | null;
}

/** Every definition that is not the one of the migrations up to the file's own. */
export function schemaDifferences(connection: SqliteConnection): Difference[] {
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
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((subject) => expected.get(subject) !== found.get(subject))
    .map((subject) => ({
      subject,
      what: "definition",
      expected: expected.has(subject) ? "that of this version" : "none",
      found: describe(expected.has(subject), found.get(subject)),
    }));
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
