// The data directory's side of a copy: rows of its files with all values as text. Invariant: a
// source file is not changed, and a target file is changed in one transaction.

import { Database as SqliteFile } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import {
  DatabaseMissing,
  missingMigrations,
  SchemaMismatch,
} from "#platform/database/migrations.ts";
import { tokensOf } from "#platform/database/search.ts";
import type { Mode } from "#platform/database/shop.ts";
import { NOT_OF_LITESTREAM, SqliteConnection } from "#platform/database/sqlite/connection.ts";
import { migrate, readStored, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { SqliteReader } from "#platform/database/sqlite/sqlite.ts";

import {
  type CopiedColumn,
  type CopiedRow,
  type CopiedTable,
  type CopySide,
  type IndexedSubject,
  keyColumns,
  keyOf,
  ROWS_AT_ONCE,
  type SearchDocument,
  SEQUENCE_COUNTER,
  type SqliteTable,
} from "./tables-to-copy.ts";

/** One file under copy. Closing it before `commit` leaves it unchanged. */
export class SqliteSide implements CopySide {
  readonly engine = "sqlite";
  readonly label: string;
  readonly #connection: SqliteConnection;

  private constructor(label: string, connection: SqliteConnection) {
    this.label = label;
    this.#connection = connection;
  }

  /**
   * Opens a source file. The caller holds the directory's lock. Throws DatabaseMissing, and
   * SchemaMismatch if its tables are not this program's.
   */
  static openSource(directory: string, mode: Mode): SqliteSide {
    const path = join(directory, `${mode}.sqlite`);
    if (!existsSync(path)) throw new DatabaseMissing(path);
    return SqliteSide.#begin(path, SqliteConnection.openReader(path), "BEGIN");
  }

  /** Opens a target file; creates and migrates it if it is missing. Throws SchemaMismatch, too. */
  static openTarget(directory: string, mode: Mode, clock: Clock): SqliteSide {
    const path = join(directory, `${mode}.sqlite`);
    if (isWithoutTables(path)) migrate(path, { clock });
    return SqliteSide.#begin(path, SqliteConnection.openWriter(path), "BEGIN IMMEDIATE");
  }

  static #begin(path: string, connection: SqliteConnection, begin: string): SqliteSide {
    try {
      connection.driver.run(begin);
      const side = new SqliteSide(path, connection);
      side.#requireThisSchema();
      return side;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  #requireThisSchema(): void {
    const { applied } = readStored(this.#connection.driver);
    // Without the newest program: tables that this one does not know would be left behind.
    const missing = missingMigrations({ applied, newest: null }, sqliteMigrations);
    if (missing.length > 0) {
      throw new SchemaMismatch(
        `${this.label} has the tables of an older Duka: run \`duka migrate\` on it first, without DUKA_DATABASE_URL.`,
      );
    }
  }

  /** All tables except SQLite's own, litestream's and those of the search index. */
  tables(): SqliteTable[] {
    const names = this.#ask(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' " +
        `AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND ${NOT_OF_LITESTREAM} ORDER BY name`,
    );
    return names.map(([name]) => ({
      name: String(name),
      columns: this.#ask("SELECT name, type, pk FROM pragma_table_info(?)", [name ?? ""]).map(
        ([column, type, key]) => ({ name: String(column), type: String(type), key: Number(key) }),
      ),
      parents: this.#ask('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)', [
        name ?? "",
      ]).map(([parent]) => String(parent)),
    }));
  }

  async openReader(): Promise<Reader> {
    return new SqliteReader(this.#connection);
  }

  async count({ name, condition }: CopiedTable): Promise<number> {
    return Number(this.#ask(`SELECT count(*) FROM "${name}" t WHERE ${condition}`)[0]?.[0] ?? 0);
  }

  async rowsAfter(table: CopiedTable, last: CopiedRow | null): Promise<CopiedRow[]> {
    const keys = keyColumns(table);
    const order = keys.map(({ name }) => `t."${name}"`).join();
    const after = last === null ? "" : ` AND (${order}) > (${keys.map(placeholder).join()})`;
    return this.#ask(
      `SELECT ${table.columns.map(asText).join()} FROM "${table.name}" t ` +
        `WHERE ${table.condition}${after} ORDER BY ${order} LIMIT ${ROWS_AT_ONCE}`,
      last === null ? [] : keyOf(table, last),
    );
  }

  async put({ name, columns }: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
    const insert = this.#connection.driver.query(
      `INSERT INTO "${name}" (${columns.map((column) => `"${column.name}"`).join()}) ` +
        `VALUES (${columns.map(placeholder).join()})`,
    );
    for (const row of rows) insert.run(...row);
  }

  async lastSequence(): Promise<string> {
    const [row] = this.#ask(
      "SELECT CAST(max(coalesce((SELECT max(sequence) FROM events), 0), " +
        "coalesce((SELECT value FROM counters WHERE name = ?), 0)) AS TEXT)",
      [SEQUENCE_COUNTER],
    );
    return row?.[0] ?? "0";
  }

  async keepSequence(sequence: string): Promise<void> {
    this.#ask(
      "INSERT INTO counters (name, value) VALUES (?, CAST(? AS INTEGER)) " +
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [SEQUENCE_COUNTER, sequence],
    );
  }

  async indexedAfter(last: IndexedSubject | null): Promise<IndexedSubject[]> {
    return this.#ask(
      "SELECT kind, subject FROM search_entries WHERE (kind, subject) > (?, ?) " +
        `ORDER BY kind, subject LIMIT ${ROWS_AT_ONCE}`,
      [last?.kind ?? "", last?.subject ?? ""],
    ).map(([kind, subject]) => ({ kind: kind ?? "", subject: subject ?? "" }));
  }

  async index(documents: readonly SearchDocument[]): Promise<void> {
    for (const { kind, subject, text } of documents) {
      const [entry] = this.#ask(
        "INSERT INTO search_entries (kind, subject) VALUES (?, ?) RETURNING document",
        [kind, subject],
      );
      this.#ask(
        "INSERT INTO search_documents (rowid, kind, body) VALUES (CAST(? AS INTEGER), ?, ?)",
        [entry?.[0] ?? null, kind, tokensOf(text)],
      );
    }
  }

  /** Commits durably. */
  commit(): void {
    this.#connection.driver.run("COMMIT");
  }

  close(): void {
    if (this.#connection.driver.inTransaction) this.#connection.driver.run("ROLLBACK");
    this.#connection.close();
  }

  #ask(text: string, values: readonly (string | null)[] = []): (string | null)[][] {
    const rows = this.#connection.driver.query(text).values(...values);
    return rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
  }
}

function isWithoutTables(path: string): boolean {
  if (!existsSync(path)) return true;
  using database = new SqliteFile(path, { readonly: true });
  return database.query("SELECT 1 FROM sqlite_schema LIMIT 1").get() === null;
}

function asText({ name, kind }: CopiedColumn): string {
  return kind === "text" ? `t."${name}"` : `CAST(t."${name}" AS TEXT)`;
}

function placeholder({ kind }: CopiedColumn): string {
  return kind === "text" ? "?" : "CAST(? AS INTEGER)";
}
