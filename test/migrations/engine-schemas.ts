// What a database of either engine is made of, each thing as one line of text, so that two can be compared.

import { Database as SqliteFile } from "bun:sqlite";

import type { SQL } from "bun";

export interface Makeup {
  readonly columns: readonly string[];
  readonly primaryKeys: readonly string[];
  readonly indexes: readonly string[];
  readonly references: readonly string[];
  readonly checks: readonly string[];
}

/** The search index is each engine's own; the migrator makes the list of migrations. */
const APART = /^(search_|migrations$|sqlite_)/;

type Row = readonly unknown[];
type Ask = (text: string) => Promise<Row[]>;

/** Of a file of the embedded engine. */
export async function makeupOfFile(path: string): Promise<Makeup> {
  using database = new SqliteFile(path, { strict: true });
  const ask: Ask = async (text) => database.query<never, []>(text).values();
  const table = "FROM sqlite_schema AS t";
  const where = "WHERE t.type = 'table'";
  return {
    columns: await lines(
      ask,
      `SELECT t.name, t.name || '.' || c.name || ' ' || lower(c.type) || iif(c."notnull", ' not null', '')
       ${table}, pragma_table_info(t.name) AS c ${where}`,
    ),
    primaryKeys: await lines(
      ask,
      `SELECT t.name, t.name || ' (' ||
         (SELECT group_concat(name, ', ' ORDER BY pk) FROM pragma_table_info(t.name) WHERE pk > 0) || ')'
       ${table} ${where}`,
    ),
    indexes: await lines(
      ask,
      `SELECT t.name, iif(i."unique", 'unique ', '') || i.name || ' on ' || t.name || ' (' ||
         (SELECT group_concat(name, ', ' ORDER BY seqno) FROM pragma_index_info(i.name)) || ')' ||
         coalesce((SELECT ' where ' || substr(sql, instr(sql, ' WHERE ') + 7)
                   FROM sqlite_schema WHERE name = i.name AND instr(sql, ' WHERE ') > 0), '')
       ${table}, pragma_index_list(t.name) AS i ${where} AND i.origin = 'c'`,
    ),
    references: await lines(
      ask,
      `SELECT t.name, t.name || '.' || r."from" || ' to ' || r."table" || '.' || r."to" || ', ' || lower(r.on_delete)
       ${table}, pragma_foreign_key_list(t.name) AS r ${where}`,
    ),
    checks: (await ask(`SELECT t.name, t.sql ${table} ${where}`))
      .filter(([name]) => !APART.test(String(name)))
      .flatMap(([, text]) => [...String(text).matchAll(/CONSTRAINT "(\w+)" CHECK/g)])
      .map(([, name = ""]) => name)
      .toSorted(),
  };
}

/** Of a schema of PostgreSQL. */
export async function makeupOfSchema(sql: SQL, schema: string): Promise<Makeup> {
  const ask: Ask = (text) => sql.unsafe(text, [schema]).values();
  const names = (keys: string, table: string) =>
    `(SELECT string_agg(a.attname, ', ' ORDER BY k.place)
      FROM unnest(${keys}) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.number)`;
  const tables = `FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = $1`;
  const constraints = (kind: string) =>
    `${tables} JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = '${kind}'`;
  return {
    columns: await lines(
      ask,
      `SELECT t.relname, t.relname || '.' || a.attname || ' ' ||
         CASE WHEN format_type(a.atttypid, NULL) IN ('bigint', 'integer', 'boolean') THEN 'integer'
              ELSE format_type(a.atttypid, NULL) END ||
         CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
       ${tables} JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE t.relkind = 'r'`,
    ),
    primaryKeys: await lines(
      ask,
      `SELECT t.relname, t.relname || ' (' || ${names("c.conkey", "t.oid")} || ')' ${constraints("p")}`,
    ),
    indexes: (
      await lines(
        ask,
        `SELECT t.relname, CASE WHEN i.indisunique THEN 'unique ' ELSE '' END || x.relname || ' on ' || t.relname ||
           ' (' || ${names("i.indkey::int2[]", "t.oid")} || ')' ||
           coalesce(' where ' || pg_get_expr(i.indpred, i.indrelid), '')
         ${tables} JOIN pg_index i ON i.indrelid = t.oid AND NOT i.indisprimary
         JOIN pg_class x ON x.oid = i.indexrelid`,
      )
    ).toSorted(),
    references: await lines(
      ask,
      `SELECT t.relname, t.relname || '.' || ${names("c.conkey", "t.oid")} || ' to ' ||
         c.confrelid::regclass || '.' || ${names("c.confkey", "c.confrelid")} || ', ' ||
         CASE c.confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' WHEN 'a' THEN 'no action' ELSE 'other' END
       ${constraints("f")}`,
    ),
    checks: (await ask(`SELECT t.relname, c.conname ${constraints("c")}`))
      .map(([, name]) => String(name))
      .toSorted(),
  };
}

/** The second column, in one way of writing, for the tables that both engines have. */
async function lines(ask: Ask, text: string): Promise<string[]> {
  const rows = await ask(text);
  return rows
    .filter(([table]) => !APART.test(String(table)))
    .map(([, line]) => plain(String(line)))
    .toSorted();
}

/** PostgreSQL writes conditions out with types and brackets; what is yes or no is a number in SQLite. */
function plain(line: string): string {
  const [what = "", condition] = line.split(" where ");
  if (condition === undefined) return what;
  const bare = condition
    .replaceAll(/::\w+(?:\[\])?|[()"`]/g, "")
    .replaceAll(/= ANY ARRAY\[(.*?)\]/g, "IN $1")
    .replaceAll(/\b(tracked|is_automatic|is_strangers) = 1/g, "$1");
  return `${what} where ${bare}`;
}
