// The statements that every resource has: find, get, lock, list, count, insert, save, drop. What is particular to one
// stays in its own `queries.ts`.

import { and, count, desc, eq, getTableName, inArray, lt, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

import { assume } from "#kernel/assume.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { RefusalDefinition } from "#kernel/refusal.ts";

import { type Reader, run, type Statement, type Tx, WriteConflict } from "./database.ts";
import {
  columnPlaces,
  type GivenFilters,
  hasRow,
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedLock,
  preparedWrite,
  saveStatement,
} from "./prepared.ts";
import { type RecordTable, redacted, type RowOf, shownColumns, type WholeRowOf } from "./record.ts";

type WithId = RecordTable & { readonly id: PgColumn };
export type WithVersions = WithId & { readonly version: PgColumn; readonly updatedAt: PgColumn };

/** Texts that rows have in common, by their columns. */
type Texts<Row> = { readonly [K in keyof Row]?: Row[K] & string };

/** The statements of a table whose rows have an id. */
interface Statements<Row, WholeRow> {
  readonly find: (db: Reader, id: string) => Promise<Row | undefined>;
  /** The rows that these ids have, newest first. */
  readonly findAll: (db: Reader, ids: readonly string[]) => Promise<Row[]>;
  /** Refuses where there is none. */
  readonly get: (db: Reader, id: string) => Promise<Row>;
  /** The row, which no other transaction changes until this one ends. Refuses where there is none. */
  readonly lock: (tx: Tx, id: string) => Promise<Row>;
  /** The same, and nothing where there is none. */
  readonly findLocked: (tx: Tx, id: string) => Promise<Row | undefined>;
  readonly insert: (tx: Tx, row: WholeRow) => Promise<void>;
  /** A page of the rows that have these texts, newest first. */
  readonly list: (db: Reader, page: PageRequest, texts?: Texts<Row>) => Promise<Page<Row>>;
  /** The number of rows that have these texts. */
  readonly count: (db: Reader, texts?: Texts<Row>) => Promise<number>;
  /** Deletes the row, if there is one. */
  readonly drop: (tx: Tx, id: string) => Promise<void>;
}

/** The same where each change of a row is its next version. */
export interface VersionedStatements<Row, WholeRow = Row> extends Statements<Row, WholeRow> {
  /** The version that the row has now; undefined where there is none. */
  readonly findVersion: (db: Reader, id: string) => Promise<number | undefined>;
  /**
   * Writes what the next version changes, and answers it; hidden columns stay as they are. Throws `WriteConflict` where
   * the row is not of the version before any more.
   */
  readonly save: <One extends Row & Versioned>(
    tx: Tx,
    before: One,
    change: Partial<One>,
  ) => Promise<One>;
}

interface Versioned {
  readonly version: number;
  readonly updatedAt: number;
}

/** The statements of a record; `get` and `lock` refuse with `notFound`. */
export function statements<T extends WithId>(
  table: T,
  notFound: RefusalDefinition,
): Statements<RowOf<T>, WholeRowOf<T>> {
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
  const dropById = preparedWrite<{ id: string }>()((tx, at) =>
    tx.delete(rows).where(eq(table.id, at.id)),
  );
  const { pages, counts } = readsByTexts(table, shown);
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
    list: async (db, { limit, after }, texts) =>
      toPage(
        asRow(await pages(db, { ...texts, after: after ?? undefined, limit: limit + 1 })),
        limit,
      ),
    count: async (db, texts) => (await counts(db, { ...texts }))[0]?.total ?? 0,
    drop: async (tx, id) => {
      await dropById(tx, { id });
    },
  };
}

/** The reads of rows by the texts that they have. */
function readsByTexts(table: WithId, shown: Record<string, PgColumn>) {
  type Given = Readonly<Record<string, unknown>>;
  const rows: PgTable = table;
  const having = (given: GivenFilters<Given>) =>
    Object.entries(shown)
      .filter(([name]) => given.has(name))
      .map(([name, column]) => eq(column, given.one(name)));
  const pages = preparedByFilters<Given>()((db, given) => {
    const isAfter = given.has("after") ? lt(table.id, given.one("after")) : undefined;
    const found = db
      .select(shown)
      .from(rows)
      .where(and(...having(given), isAfter));
    return found.orderBy(desc(table.id)).limit(given.one("limit"));
  });
  const counts = preparedByFilters<Given>()((db, given) =>
    db
      .select({ total: count() })
      .from(rows)
      .where(and(...having(given))),
  );
  return { pages, counts };
}

/** The statements of a record with versions; `get` and `lock` refuse with `notFound`. */
export function versionedStatements<T extends WithVersions>(
  table: T,
  notFound: RefusalDefinition,
): VersionedStatements<RowOf<T>, WholeRowOf<T>> {
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
