// The statements that every resource has: find, get, lock, insert, save. What is particular to
// one stays in its own `queries.ts`.

import { and, desc, eq, getTableName, inArray, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

import { assume } from "#kernel/assume.ts";
import type { RefusalDefinition } from "#kernel/refusal.ts";

import { type Reader, run, type Statement, type Tx, WriteConflict } from "./database.ts";
import {
  columnPlaces,
  hasRow,
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedLock,
  saveStatement,
} from "./prepared.ts";
import { type RecordTable, redacted, type RowOf, shownColumns, type WholeRowOf } from "./record.ts";

type WithId = RecordTable & { readonly id: PgColumn };
type WithVersions = WithId & { readonly version: PgColumn; readonly updatedAt: PgColumn };

/** The statements of a table whose rows have an id. */
export interface Statements<T extends WithId> {
  readonly find: (db: Reader, id: string) => Promise<RowOf<T> | undefined>;
  /** The rows that these ids have, newest first. */
  readonly findAll: (db: Reader, ids: readonly string[]) => Promise<RowOf<T>[]>;
  /** Refuses where there is none. */
  readonly get: (db: Reader, id: string) => Promise<RowOf<T>>;
  /** The row, which no other transaction changes until this one ends. Refuses where there is none. */
  readonly lock: (tx: Tx, id: string) => Promise<RowOf<T>>;
  /** The same, and nothing where there is none. */
  readonly findLocked: (tx: Tx, id: string) => Promise<RowOf<T> | undefined>;
  readonly insert: (tx: Tx, row: WholeRowOf<T>) => Promise<void>;
}

/** The same where each change of a row is its next version. */
export interface VersionedStatements<T extends WithVersions> extends Statements<T> {
  /** The version that the row has now; undefined where there is none. */
  readonly findVersion: (db: Reader, id: string) => Promise<number | undefined>;
  /**
   * Writes what the next version changes, and answers it; hidden columns stay as they are. Throws `WriteConflict` where
   * the row is not of the version before any more.
   */
  readonly save: <Row extends RowOf<T> & Versioned>(
    tx: Tx,
    before: Row,
    change: Partial<Row>,
  ) => Promise<Row>;
}

interface Versioned {
  readonly version: number;
  readonly updatedAt: number;
}

/** The statements of a record; `get` and `lock` refuse with `notFound`. */
export function statements<T extends WithId>(table: T, notFound: RefusalDefinition): Statements<T> {
  // Wider types, by which drizzle selects columns that it does not know one by one.
  const shown: Record<string, PgColumn> = shownColumns<RecordTable>(table);
  const rows: PgTable = table;
  const byId = prepared<{ id: string }>({ by: "id" })((db, at) =>
    db.select(shown).from(rows).where(eq(table.id, at.id)),
  );
  const toLock = preparedLock<{ id: string }>({ by: "id" })((db, at) =>
    db.select(shown).from(rows).where(eq(table.id, at.id)),
  );
  const byIds = preparedByFilters<{ ids: readonly string[] }>()((db, given) =>
    db
      .select(shown)
      .from(rows)
      .where(inArray(table.id, given.each("ids")))
      .orderBy(desc(table.id)),
  );
  const required = ([row]: readonly unknown[]): RowOf<T> => {
    if (row === undefined) throw notFound();
    return asRow(row);
  };
  return {
    find: async (db, id) => asRow((await byId(db, { id }))[0]),
    findAll: async (db, ids) => (ids.length === 0 ? [] : asRow(await byIds(db, { ids }))),
    get: async (db, id) => required(await byId(db, { id })),
    lock: async (tx, id) => required(await toLock(tx, { id })),
    findLocked: async (tx, id) => asRow((await toLock(tx, { id }))[0]),
    insert: preparedInsert(table),
  };
}

/** The statements of a record with versions; `get` and `lock` refuse with `notFound`. */
export function versionedStatements<T extends WithVersions>(
  table: T,
  notFound: RefusalDefinition,
): VersionedStatements<T> {
  const rows: PgTable = table;
  const saving = savesOf(table);
  const versionById = prepared<{ id: string }>({ by: "id" })((db, at) =>
    db.select({ version: table.version }).from(rows).where(eq(table.id, at.id)),
  );
  return {
    ...statements(table, notFound),
    findVersion: async (db, id) => asVersion((await versionById(db, { id }))[0]),
    save: async (tx, before, change) => {
      const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
      if (!hasRow(await tx[run](saving(before, after), after))) {
        throw new WriteConflict(`A row of ${getTableName(table)}`);
      }
      return after;
    },
  };
}

/**
 * Writes what an erasure leaves of rows without a version, which have these columns as their key. Returns whether there
 * was anything to erase.
 */
export function preparedRedaction<T extends RecordTable>(
  table: T,
  key: Readonly<Record<string, PgColumn>>,
) {
  const columns: Readonly<Record<string, PgColumn>> = shownColumns<RecordTable>(table);
  const statement: Statement<unknown> = {
    writes: true,
    build: (builder) =>
      builder
        .update<PgTable>(table)
        .set(columnPlaces<PgTable>(table, columns))
        .where(and(...Object.entries(key).map(([name, one]) => eq(one, sql.placeholder(name))))),
  };
  return async (tx: Tx, rows: readonly RowOf<T>[]): Promise<boolean> => {
    const left = rows.map((row) => redacted(table, row));
    const changed = left.filter((row, index) => !Bun.deepEquals(row, rows[index]));
    for (const row of changed) await tx[run](statement, row);
    return changed.length > 0;
  };
}

/** Sets of columns that have a statement of their own; the rest writes whole rows. */
const SAVES_MAX = 32;

/**
 * Returns the statement that writes what differs between two versions of a row: a column that is set, even to the value
 * that it had, has the indexes written that it is in.
 */
function savesOf(table: WithVersions) {
  const columns: Readonly<Record<string, PgColumn>> = shownColumns<RecordTable>(table);
  const whole = saveStatement(table, columns);
  const known = new Map<string, Statement<unknown>>();
  return (before: object, after: object): Statement<unknown> => {
    const changed = Object.entries(columns).filter(
      ([name]) => Reflect.get(before, name) !== Reflect.get(after, name),
    );
    const names = changed.map(([name]) => name).join();
    const statement = known.get(names);
    if (statement !== undefined) return statement;
    if (known.size === SAVES_MAX) return whole;
    const made = saveStatement(table, Object.fromEntries(changed));
    known.set(names, made);
    return made;
  };
}

function asVersion(selected: unknown): number | undefined {
  return assume<{ readonly version: number } | undefined>(selected)?.version;
}

/** The cast that gives what was selected the type of the table's rows: the same columns were named. */
function asRow<Row>(selected: unknown): Row {
  return assume<Row>(selected);
}

/** The name of a filter whose value is a list. */
type ListName<F> = {
  [K in keyof F]-?: NonNullable<F[K]> extends readonly unknown[] ? K : never;
}[keyof F];

/** The newest rows that match. A list of values is one query per value, so each follows an index. */
export async function newestOfEach<F extends { readonly rows: number }, Row extends { id: string }>(
  filters: F,
  names: readonly ListName<F>[],
  read: (filters: F) => Promise<Row[]>,
): Promise<Row[]> {
  const name = names.find((one) => distinct(filters[one]).length > 1);
  if (name === undefined) return read(filters);
  const found: Row[] = [];
  for (const value of distinct(filters[name])) {
    found.push(...(await read({ ...filters, [name]: [value] })));
  }
  return found.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, filters.rows);
}

function distinct(values: unknown): unknown[] {
  return Array.isArray(values) ? [...new Set(values)] : [];
}
