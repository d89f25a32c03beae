// Which tables a copy between engines takes along, read from the catalogs of both sides. Invariant: a
// table or column that only one of them has stops the copy; nothing is left behind in silence.

import type { Reader } from "#platform/database/database.ts";
import type { Engine } from "#platform/database/engine.ts";
import type { Mode } from "#platform/database/shop.ts";

import { CopyFault } from "./fault.ts";

/** How a value is kept; on the way every one is text, so that no number passes through a double. */
export type ColumnKind = "text" | "integer" | "bigint" | "boolean";

export interface CopiedColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly CopiedColumn[];
  /** Places of the primary key's columns among the columns, in the key's order. */
  readonly key: readonly number[];
  /** The rows that are copied, as both engines understand it; the table is `t` in it. */
  readonly condition: string;
}

/** A row's values in the order of its table's columns: decimal digits, 0 or 1, or the text itself. */
export type CopiedRow = readonly (string | null)[];

/** What is found by words. */
export interface IndexedSubject {
  readonly kind: string;
  readonly subject: string;
}

export interface SearchDocument extends IndexedSubject {
  readonly text: string;
}

/** Both modes, in the order of the report. */
export const copiedModes: readonly Mode[] = ["live", "test"];

/** One mode's database on one side of a copy. All of it happens in one transaction. */
export interface CopySide {
  readonly engine: Engine;
  /** Its name, as an operator would look for it. */
  readonly label: string;
  /** What statements made for its engine are read with. */
  openReader(): Promise<Reader>;
  count(table: CopiedTable): Promise<number>;
  /** The next rows in the order of the primary key. */
  rowsAfter(table: CopiedTable, last: CopiedRow | null): Promise<CopiedRow[]>;
  put(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** The sequence that the event log gave last. */
  lastSequence(): Promise<string>;
  /** Afterwards the log counts on from there. */
  keepSequence(sequence: string): Promise<void>;
  /** What is found by words, in the order of kind and id. */
  indexedAfter(last: IndexedSubject | null): Promise<IndexedSubject[]>;
  /** Afterwards each is found by the words of its text. */
  index(documents: readonly SearchDocument[]): Promise<void>;
}

/** A table as SQLite's own catalog has it. */
export interface SqliteTable {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    /** Its place in the primary key from 1; 0 where it is in none. */
    readonly key: number;
  }[];
  /** The tables it refers to. */
  readonly parents: readonly string[];
}

/** Columns of PostgreSQL by table and name, with their types. */
export type PostgresColumns = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** How many rows are asked for and put at once. */
export const ROWS_AT_ONCE = 1000;

/** The counter that each engine uses in its own way: the sequence is carried over by itself. */
export const SEQUENCE_COUNTER = "event_sequence";

/**
 * Each side has its own record of migrations and its own index of words; who holds what for some seconds,
 * and how often somebody asked in the last minute, is over when the shop has moved.
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

/** The tables of both sides, those that others refer to first. Throws CopyFault where they differ. */
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
    if (next.length === 0) throw new CopyFault(`These refer to each other: ${[...waiting].join()}`);
    sorted.push(...next);
    left = left.filter((table) => !isNext(table));
  }
  return sorted;
}

/** The values of a row's primary key, in its order. */
export function keyOf(table: CopiedTable, row: CopiedRow): (string | null)[] {
  return table.key.map((place) => row[place] ?? null);
}

/** Names of the primary key's columns. */
export function keyColumns(table: CopiedTable): CopiedColumn[] {
  return table.key.flatMap((place) => table.columns[place] ?? []);
}
