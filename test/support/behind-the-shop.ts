// The database of a data directory without the shop, on either engine: for changes that no story makes,
// and to read every row.

import { Database as SqliteFile, SQLiteError } from "bun:sqlite";
import { join } from "node:path";

import { SQL } from "bun";

import { engine } from "#platform/database/engine.ts";
import type { Mode } from "#platform/database/shop.ts";

import { databaseOf } from "./postgres-databases.ts";

const CHECK_VIOLATION = "23514";

type Row = Readonly<Record<string, unknown>>;

/** Runs statements in the test database, without enforcing constraints. */
export async function tamper(directory: string, ...statements: readonly string[]): Promise<void> {
  if (engine === "postgres") {
    await onPostgres(directory, "test", async (sql) => {
      await sql.unsafe("SET session_replication_role = replica");
      for (const statement of statements) await runUnchecked(sql, statement);
    });
    return;
  }
  using database = new SqliteFile(join(directory, "test.sqlite"));
  database.run("PRAGMA ignore_check_constraints = ON");
  for (const statement of statements) await whenFree(() => database.run(statement));
}

/** How often a lock is tried for, 10 ms apart. */
const TRIES_MAX = 500;

/** A group of the shop commits in this thread: SQLite's own wait for the lock would keep it from doing so. */
async function whenFree(run: () => unknown, tries = TRIES_MAX): Promise<void> {
  try {
    run();
  } catch (error) {
    const isBusy = error instanceof SQLiteError && error.code === "SQLITE_BUSY";
    if (!isBusy || tries === 0) throw error;
    await Bun.sleep(10);
    await whenFree(run, tries - 1);
  }
}

/** The expression of a column of JSON with another value at a path, as `taxes.0.amountMinor`. */
export function withJson(column: string, path: string, value: unknown): string {
  const steps = path.split(".");
  const given = JSON.stringify(value);
  if (engine === "postgres") {
    return `CAST(jsonb_set(CAST(${column} AS jsonb), '{${steps.join()}}', '${given}') AS text)`;
  }
  const at = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join("");
  return `json_set(${column}, '$${at}', json('${given}'))`;
}

/** The rows of a query; whole numbers of 64 bits are numbers on both engines. */
export async function rowsBehind(directory: string, query: string): Promise<readonly Row[]> {
  if (engine === "postgres") {
    return onPostgres(directory, "test", async (sql) =>
      Array.from<Row>(await sql.unsafe(query)).map(withNumbers),
    );
  }
  using database = new SqliteFile(join(directory, "test.sqlite"), { readonly: true });
  return database.query<Row, []>(query).all();
}

/** The names of all tables of the test database. */
export async function tablesBehind(directory: string): Promise<string[]> {
  const query =
    engine === "postgres"
      ? "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()"
      : "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') " +
        "AND name NOT LIKE 'sqlite_%'";
  return (await rowsBehind(directory, query)).map(({ name }) => String(name));
}

async function onPostgres<T>(
  directory: string,
  mode: Mode,
  work: (sql: SQL) => Promise<T>,
): Promise<T> {
  await using sql = new SQL({
    url: await databaseOf(directory),
    max: 1,
    bigint: true,
    connection: { search_path: mode },
  });
  return await work(sql);
}

/** PostgreSQL cannot switch constraints off: drops those in the way. */
async function runUnchecked(sql: SQL, statement: string): Promise<void> {
  try {
    await sql.unsafe(statement);
  } catch (error) {
    if (!(error instanceof SQL.PostgresError) || error.errno !== CHECK_VIOLATION) throw error;
    await sql.unsafe(`ALTER TABLE "${error.table}" DROP CONSTRAINT "${error.constraint}"`);
    await runUnchecked(sql, statement);
  }
}

function withNumbers(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "bigint" ? Number(value) : value,
    ]),
  );
}
