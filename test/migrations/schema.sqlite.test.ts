// What every table of the schema must be, and what the tables in the source say it is.

import { Database as SqliteFile } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";

import { getTableColumns, getTableName, is, Table } from "drizzle-orm";

import { migrate } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { openScratchFolder } from "../support/scratch.ts";

interface TableRow {
  readonly name: string;
  readonly strict: number;
}

const root = join(import.meta.dir, "../..");
const folder = openScratchFolder();
let database: SqliteFile;

beforeAll(() => {
  migrate(folder.file("shop.sqlite"), { clock: noonClock });
  database = new SqliteFile(folder.file("shop.sqlite"), { strict: true });
});

afterAll(() => {
  database.close();
  folder[Symbol.dispose]();
});

/** Ordinary tables: a virtual one and its shadows are the engine's own. */
function tables(): TableRow[] {
  return database
    .query<TableRow, []>(
      "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND schema = 'main' " +
        "AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
}

test("every table refuses what its columns are not made for", () => {
  const lenient = tables().filter((table) => table.strict === 0);

  expect(tables().length).toBeGreaterThan(10);
  expect(lenient.map((table) => table.name)).toEqual([]);
});

test("every reference leads to a table and a unique column of it", () => {
  const references = tables().flatMap((table) =>
    database
      .query<{ table: string; to: string | null }, [string]>(
        'SELECT "table", "to" FROM pragma_foreign_key_list(?)',
      )
      .all(table.name),
  );

  const lost = references.filter(
    ({ table, to }) => !uniqueColumns(table).includes(to ?? "the primary key"),
  );
  expect(references.length).toBeGreaterThan(3);
  expect(lost).toEqual([]);
});

/** The columns by which a row of the table is known. */
function uniqueColumns(table: string): string[] {
  const keys = database
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?) WHERE pk = 1")
    .all(table);
  const unique = database
    .query<{ name: string }, [string]>(
      'SELECT column.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS "column" ' +
        'WHERE list."unique" = 1 AND list.partial = 0',
    )
    .all(table);
  return [...keys, ...unique].map((row) => row.name);
}

test("no row of a fresh database refers to one that is not there", () => {
  expect(database.query("PRAGMA foreign_key_check").all()).toEqual([]);
});

test("a fresh database is sound", () => {
  expect(database.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
});

test("a reference is found by an index when its row is deleted", () => {
  const unindexed = tables().flatMap((table) =>
    database
      .query<{ from: string }, [string]>('SELECT "from" FROM pragma_foreign_key_list(?)')
      .all(table.name)
      .filter(({ from }) => !leadingColumns(table.name).includes(from))
      .map(({ from }) => `${table.name}.${from}`),
  );

  expect(unindexed).toEqual([]);
});

/** The first columns of the table's indexes, its key included. */
function leadingColumns(table: string): string[] {
  return database
    .query<{ name: string }, [string]>(
      'SELECT info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS "info" ' +
        "WHERE info.seqno = 0",
    )
    .all(table)
    .map((row) => row.name);
}

test("the tables of the source are those of the schema, column by column", async () => {
  const source: string[] = [];
  for (const path of new Bun.Glob("src/**/tables.ts").scanSync(root)) {
    const exported: Record<string, unknown> = await import(join(root, path));
    for (const table of Object.values(exported)) {
      if (is(table, Table)) source.push(...columnsInSource(table));
    }
  }

  const handMade = new Set(["migrations", "search_entries"]);
  const schema = tables()
    .filter((table) => !handMade.has(table.name))
    .flatMap((table) => columnsInSchema(table.name));
  expect(source.toSorted()).toEqual(schema.toSorted());
});

function columnsInSource(table: Table): string[] {
  return Object.values(getTableColumns(table)).map((column) =>
    describeColumn(getTableName(table), {
      name: column.name,
      type: column.getSQLType(),
      notnull: column.notNull ? 1 : 0,
    }),
  );
}

function columnsInSchema(table: string): string[] {
  return database
    .query<ColumnRow, [string]>('SELECT name, type, "notnull" FROM pragma_table_info(?)')
    .all(table)
    .map((row) => describeColumn(table, row));
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
}

function describeColumn(table: string, column: ColumnRow): string {
  const needed = column.notnull === 1 ? " not null" : "";
  return `${table}.${column.name} ${column.type.toLowerCase()}${needed}`;
}
