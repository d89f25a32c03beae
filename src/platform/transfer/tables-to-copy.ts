// Determines the tables to copy between engines from both sides' catalogs. Invariant: a table or
// column that only one side has stops the copy.

import type { Reader } from "#platform/database/database.ts";
import type { Engine } from "#platform/database/engine.ts";
import type { Mode } from "#platform/database/shop.ts";

import { CopyFault } from "./fault.ts";

/**
 * How a value is stored. During a copy all values are text, so that no number passes through a
 * double.
 */
export type ColumnKind = "text" | "integer" | "bigint" | "boolean";

export interface CopiedColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly CopiedColumn[];
  /** Positions of the primary key's columns among the columns, in the key's order. */
  readonly key: readonly number[];
  /** A condition on the rows to copy, valid on both engines; the table's alias is `t`. */
  readonly condition: string;
}

/** The values of a row in the order of the columns: decimal digits, 0 or 1, or text. */
export type CopiedRow = readonly (string | null)[];

/** A subject of the search index. */
export interface IndexedSubject {
  readonly kind: string;
  readonly subject: string;
}

export interface SearchDocument extends IndexedSubject {
  readonly text: string;
}

/** Both modes, in the order of the report. */
export const copiedModes: readonly Mode[] = ["live", "test"];

/** The database of one mode on one side of a copy, in one transaction. */
export interface CopySide {
  readonly engine: Engine;
  /** The name for messages. */
  readonly label: string;
  /** A Reader for prepared statements of this engine. */
  openReader(): Promise<Reader>;
  count(table: CopiedTable): Promise<number>;
  /** The next rows in the order of the primary key. */
  rowsAfter(table: CopiedTable, last: CopiedRow | null): Promise<CopiedRow[]>;
  put(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** The last sequence of the event log. */
  lastSequence(): Promise<string>;
  /** Makes the event log continue after the sequence. */
  keepSequence(sequence: string): Promise<void>;
  /** Indexed subjects in the order of kind and id. */
  indexedAfter(last: IndexedSubject | null): Promise<IndexedSubject[]>;
  /** Indexes the subjects by the words of their texts. */
  index(documents: readonly SearchDocument[]): Promise<void>;
}

/** A table of SQLite's catalog. */
export interface SqliteTable {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    /** The position in the primary key from 1; 0 if it is not part of it. */
    readonly key: number;
  }[];
  /** The tables that it refers to. */
  readonly parents: readonly string[];
}

/** PostgreSQL's columns by table and name, with their types. */
export type PostgresColumns = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Rows read and written per statement. */
export const ROWS_AT_ONCE = 1000;

/**
 * The counter of the event log, which the engines use differently; the sequence is copied
 * separately.
 */
export const SEQUENCE_COUNTER = "event_sequence";

/**
 * Tables that are not copied: migrations and search indexes belong to a side, and leases and rate
 * counts expire within minutes.
 */
const notCopied: ReadonlySet<string> = new Set([
  "migrations",
  "leases",
  "rate_uses",
  "search_entries",
  "search_documents",
]);

const kinds: Readonly<Record<string, ColumnKind>> = {
  "TEXT text": "text",
  "INTEGER integer": "integer",
  "INTEGER bigint": "bigint",
  "INTEGER boolean": "boolean",
};

/** The tables of both sides, referenced tables first. Throws CopyFault if the sides differ. */
export function tablesToCopy(
  sqlite: readonly SqliteTable[],
  postgres: PostgresColumns,
): readonly CopiedTable[] {
  const shared = sqlite.filter(({ name }) => !notCopied.has(name));
  const names = new Set(shared.map(({ name }) => name));
  const strange = [...postgres.keys()].find((name) => !notCopied.has(name) && !names.has(name));
  if (strange !== undefined) throw new CopyFault(`Only PostgreSQL has the table ${strange}.`);
  return parentsFirst(shared).map((table) =>
    tableToCopy(table, postgres.get(table.name) ?? new Map()),
  );
}

function tableToCopy(
  { name, columns }: SqliteTable,
  others: ReadonlyMap<string, string>,
): CopiedTable {
  const strange = [...others.keys()].find((other) => !columns.some((own) => own.name === other));
  if (strange !== undefined) throw new CopyFault(`Only PostgreSQL has ${name}.${strange}.`);
  const key = columns
    .map((column, place) => ({ place, order: column.key }))
    .filter(({ order }) => order > 0)
    .toSorted((one, other) => one.order - other.order)
    .map(({ place }) => place);
  if (key.length === 0) throw new CopyFault(`The table ${name} has no primary key.`);
  return {
    name,
    key,
    condition: name === "counters" ? `t."name" <> '${SEQUENCE_COUNTER}'` : "TRUE",
    columns: columns.map((column) => {
      const other = others.get(column.name);
      const kind = kinds[`${column.type} ${other}`];
      if (kind !== undefined) return { name: column.name, kind };
      throw new CopyFault(
        `${name}.${column.name} is ${column.type} in SQLite and ${other ?? "missing"} in PostgreSQL.`,
      );
    }),
  };
}

function parentsFirst(tables: readonly SqliteTable[]): readonly SqliteTable[] {
  const sorted: SqliteTable[] = [];
  let left = tables;
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const isNext = ({ name, parents }: SqliteTable) =>
      parents.every((parent) => parent === name || !waiting.has(parent));
    const next = left.filter(isNext);
    if (next.length === 0)
      throw new CopyFault(`These tables refer to each other: ${[...waiting].join()}`);
    sorted.push(...next);
    left = left.filter((table) => !isNext(table));
  }
  return sorted;
}

/** The primary key's values of a row, in the key's order. */
export function keyOf(table: CopiedTable, row: CopiedRow): (string | null)[] {
  return table.key.map((place) => row[place] ?? null);
}

/** The primary key's columns. */
export function keyColumns(table: CopiedTable): CopiedColumn[] {
  return table.key.flatMap((place) => table.columns[place] ?? []);
}
