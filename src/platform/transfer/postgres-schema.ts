// One schema of a copy: rows with all values as text, in the transaction of both schemas.

import type { Reader } from "#platform/database/database.ts";
import type { PostgresLink } from "#platform/database/postgres/link.ts";
import { readerOver } from "#platform/database/postgres/reading.ts";
import { lexemesOf } from "#platform/database/search/words.ts";
import type { Mode } from "#platform/database/shop.ts";

import { CopyFault } from "./fault.ts";
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
} from "./tables-to-copy.ts";

/** Characters of rows per statement; a single row may be as long as a request. */
const STATEMENT_LENGTH_MAX = 4_000_000;

/** One schema under copy; the caller owns the link and its transaction. */
export class PostgresSide implements CopySide {
  readonly engine = "postgres";
  readonly label: string;
  readonly #link: PostgresLink;
  readonly #schema: Mode;

  constructor(label: string, link: PostgresLink, schema: Mode) {
    this.label = label;
    this.#link = link;
    this.#schema = schema;
  }

  /** One schema at a time, because statements name no schema. */
  async openReader(): Promise<Reader> {
    await this.#link.ask(`SET LOCAL search_path TO "${this.#schema}"`);
    return readerOver((text, values) => this.#link.ask(text, values));
  }

  async count({ name, condition }: CopiedTable): Promise<number> {
    const [row] = await this.#link.ask(
      `SELECT count(*) FROM ${this.#named(name)} t WHERE ${condition}`,
    );
    return Number(row?.[0] ?? 0);
  }

  async rowsAfter(table: CopiedTable, last: CopiedRow | null): Promise<CopiedRow[]> {
    const keys = keyColumns(table);
    const order = keys.map(({ name }) => `t."${name}"`).join();
    const values = keys.map((column, at) => fromText(column, `$${at + 1}::text`));
    const after = last === null ? "" : ` AND (${order}) > (${values.join()})`;
    const rows = await this.#link.ask(
      `SELECT ${table.columns.map(asText).join()} FROM ${this.#named(table.name)} t ` +
        `WHERE ${table.condition}${after} ORDER BY ${order} LIMIT ${ROWS_AT_ONCE}`,
      last === null ? [] : keyOf(table, last),
    );
    return rows.map((row) => row.map(asCell));
  }

  async put(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
    for (const row of rows) requireNoNul(table, row);
    const { name, columns } = table;
    const values = columns.map((column, at) => fromText(column, `(r ->> ${at})`));
    const text =
      `INSERT INTO ${this.#named(name)} (${columns.map((column) => `"${column.name}"`).join()}) ` +
      `SELECT ${values.join()} FROM json_array_elements($1::text::json) r`;
    for (const some of inPortions(rows)) await this.#link.ask(text, [some]);
  }

  async lastSequence(): Promise<string> {
    const [row] = await this.#link.ask(
      `SELECT greatest(coalesce((SELECT max(sequence) FROM ${this.#named("events")}), 0),
         coalesce((SELECT value FROM ${this.#named("counters")} WHERE name = $1), 0))::text`,
      [SEQUENCE_COUNTER],
    );
    return asCell(row?.[0]) ?? "0";
  }

  async keepSequence(sequence: string): Promise<void> {
    await this.#link.ask(
      `INSERT INTO ${this.#named("counters")} (name, value) VALUES ($1, $2::text::bigint)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [SEQUENCE_COUNTER, sequence],
    );
  }

  async indexedAfter(last: IndexedSubject | null): Promise<IndexedSubject[]> {
    const rows = await this.#link.ask(
      `SELECT kind, subject FROM ${this.#named("search_documents")}
       WHERE (kind, subject) > ($1::text, $2::text) ORDER BY kind, subject LIMIT ${ROWS_AT_ONCE}`,
      [last?.kind ?? "", last?.subject ?? ""],
    );
    return rows.map(([kind, subject]) => ({ kind: String(kind), subject: String(subject) }));
  }

  async index(documents: readonly SearchDocument[]): Promise<void> {
    const rows = documents.map(({ kind, subject, text }) => [kind, subject, lexemesOf(kind, text)]);
    const text = `
      INSERT INTO ${this.#named("search_documents")} (kind, subject, words)
      SELECT r ->> 0, r ->> 1, (r ->> 2)::tsvector FROM json_array_elements($1::text::json) r`;
    for (const some of inPortions(rows)) await this.#link.ask(text, [some]);
  }

  #named(table: string): string {
    return `"${this.#schema}"."${table}"`;
  }
}

/** The rows as JSON arrays, each within the limit of a statement or of a single row. */
function* inPortions(rows: readonly CopiedRow[]): Generator<string> {
  let lines: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = JSON.stringify(row);
    if (lines.length > 0 && length + line.length > STATEMENT_LENGTH_MAX) {
      yield `[${lines.join()}]`;
      lines = [];
      length = 0;
    }
    lines.push(line);
    length += line.length;
  }
  if (lines.length > 0) yield `[${lines.join()}]`;
}

/** All values are read as text. */
function asCell(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  throw new Error(`PostgreSQL returned ${typeof value} instead of text.`);
}

/** PostgreSQL cannot store U+0000. */
function requireNoNul(table: CopiedTable, row: CopiedRow): void {
  const at = row.findIndex((value) => value?.includes("\0") === true);
  if (at < 0) return;
  throw new CopyFault(
    `${table.name}.${table.columns[at]?.name} of ${keyOf(table, row).join(", ")} contains a NUL character, ` +
      "which PostgreSQL cannot store. Change it first.",
  );
}

function asText({ name, kind }: CopiedColumn): string {
  if (kind === "text") return `t."${name}"`;
  return kind === "boolean" ? `t."${name}"::integer::text` : `t."${name}"::text`;
}

function fromText({ kind }: CopiedColumn, value: string): string {
  if (kind === "text") return value;
  return kind === "boolean" ? `${value}::integer::boolean` : `${value}::${kind}`;
}
