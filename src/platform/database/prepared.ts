// Prepared statements: built once per connection and run with named values. Building a query costs
// more than running it, so all statements are prepared.

import { getTableColumns, type Placeholder, sql } from "drizzle-orm";
import type { PgColumn, PgInsertValue, PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";

import { assume } from "#kernel/assume.ts";

import {
  type Builder,
  type Preparable,
  type Reader,
  run,
  type Statement,
  type Tx,
} from "./database.ts";

type Values = Record<string, unknown>;

/** The placeholder of each named value. */
export type Placeholders<V> = { readonly [K in keyof V]-?: Placeholder };

/** The facts that a statement states about itself: `by`, `lockPlace` and `confirms` of `Statement`. */
interface Bound<V> extends Pick<Statement<unknown>, "lockPlace" | "confirms"> {
  readonly by?: keyof V & string;
}

type BuildRead<V, Rows> = (
  db: Pick<Builder, "select" | "selectDistinct">,
  at: Placeholders<V>,
) => Preparable<Rows>;

/** A read. On a Reader it sees committed rows, on a Tx also the story's own writes. */
export function prepared<V extends object>(bound: Bound<V> = {}) {
  return <Rows>(build: BuildRead<V, Rows>) => preparedRead(build, bound);
}

/**
 * A read that locks its rows until the story ends (SELECT … FOR NO KEY UPDATE). Lock one row per statement, or several
 * in the order of their keys, to avoid deadlocks. SQLite runs one story at a time and needs no row locks.
 */
export function preparedLock<V extends object>(bound: Bound<V> = {}) {
  return <Rows>(build: BuildRead<V, Rows>) => preparedRead(build, { ...bound, locks: "alone" });
}

/**
 * A read of rows that no other story changes until this one ends, while other stories may hold the same lock
 * (SELECT … FOR SHARE). A story that changes such a row afterwards may deadlock with another that shares it.
 */
export function preparedShare<V extends object>() {
  return <Rows>(build: BuildRead<V, Rows>) => preparedRead(build, { locks: "shared" });
}

function preparedRead<V extends object, Rows>(
  build: BuildRead<V, Rows>,
  terms: Pick<Statement<Rows>, "locks" | "by">,
) {
  const statement: Statement<Rows> = {
    writes: false,
    ...terms,
    build: (builder) => build(builder, placeholders()),
  };
  return (db: Reader, values: V): Promise<Rows> => db[run](statement, values);
}

/**
 * A write. Guarded writes use a condition and `.returning()`: no returned row means that the
 * condition failed.
 */
export function preparedWrite<V extends object>(bound: Bound<V> = {}) {
  return <Rows>(build: (tx: Builder, at: Placeholders<V>) => Preparable<Rows>) => {
    const statement: Statement<Rows> = {
      writes: true,
      ...bound,
      build: (builder) => build(builder, placeholders()),
    };
    return (tx: Tx, values: V): Promise<Rows> => tx[run](statement, values);
  };
}

/** The statement that inserts one whole row. */
export function insertStatement<T extends PgTable>(table: T): Statement<unknown> {
  return {
    writes: true,
    appends: true,
    build: (builder) => builder.insert(table).values(columnPlaces(table)),
  };
}

/** Inserts one whole row; every column is given, so no column relies on a default. */
export function preparedInsert<T extends PgTable>(table: T) {
  const statement = insertStatement(table);
  return async (tx: Tx, row: T["$inferSelect"]): Promise<void> => {
    await tx[run](statement, row);
  };
}

/** Inserts a row with every column given. Returns false, and inserts nothing, if a unique key is taken. */
export function preparedInsertIfFree<T extends PgTable>(table: T) {
  const statement: Statement<unknown> = {
    writes: true,
    confirms: true,
    build: (builder) =>
      builder
        .insert(table)
        .values(columnPlaces(table))
        .onConflictDoNothing()
        .returning({ inserted: sql`1` }),
  };
  return async (tx: Tx, row: T["$inferSelect"]): Promise<boolean> =>
    hasRow(await tx[run](statement, row));
}

/** Returns true if a write that is conditional took place: it returns the row that it wrote. */
export function hasRow(returned: unknown): boolean {
  return Array.isArray(returned) && returned.length > 0;
}

/**
 * Inserts a row, or adds its `sums` to those of the row with the same key. Columns that are neither
 * key nor sum keep their stored values.
 */
export function preparedAdd<T extends PgTable>(
  table: T,
  { key, sums }: Readonly<Record<"key" | "sums", readonly (keyof T["$inferSelect"] & string)[]>>,
) {
  const columns: Readonly<Record<string, PgColumn>> = getTableColumns(table);
  const named = (names: readonly string[]) =>
    Object.entries(columns).filter(([name]) => names.includes(name));
  const added = named(sums).map(([name, column]) => [
    name,
    sql`${column} + excluded.${sql.identifier(column.name)}`,
  ]);
  const statement: Statement<unknown> = {
    writes: true,
    build: (builder) =>
      builder
        .insert(table)
        .values(columnPlaces(table))
        .onConflictDoUpdate({
          target: named(key).map(([, column]) => column),
          set: valuesOf<T>(Object.fromEntries(added)),
        }),
  };
  return async (tx: Tx, row: T["$inferSelect"]): Promise<void> => {
    await tx[run](statement, row);
  };
}

/** A table of resources: each row has an id, and a version that rises with each change. */
type VersionedTable = PgTable & { readonly id: PgColumn; readonly version: PgColumn };

/**
 * Writes these columns of a row, with its next version. It returns no row and changes nothing if the stored version is
 * not the previous one, because a concurrent story changed the row.
 */
export function saveStatement(
  table: VersionedTable,
  columns: Readonly<Record<string, PgColumn>>,
): Statement<unknown> {
  return {
    writes: true,
    confirms: true,
    by: "id",
    build: (builder) =>
      builder
        .update(table)
        .set(columnPlaces(table, columns))
        .where(
          sql`${table.id} = ${sql.placeholder("id")} AND ${table.version} = ${sql.placeholder("version")} - 1`,
        )
        .returning({ id: table.id }),
  };
}

/** Saves a whole row as its next version. Returns false where `saveStatement` changes nothing. */
export function preparedSave<T extends VersionedTable>(table: T) {
  const statement = saveStatement(table, getTableColumns<VersionedTable>(table));
  return async (tx: Tx, row: T["$inferSelect"]): Promise<boolean> =>
    hasRow(await tx[run](statement, row));
}

/** The filters given to a list, for building its statement. */
export interface GivenFilters<F> {
  has(name: keyof F & string): boolean;
  one(name: keyof F & string): Placeholder;
  each(name: keyof F & string): Placeholder[];
}

/** A family of reads with one prepared statement per combination of filters. */
export function preparedByFilters<F extends object>({ by }: Pick<Bound<F>, "by"> = {}) {
  return <Rows>(
    build: (
      db: Pick<Builder, "select" | "selectDistinct">,
      given: GivenFilters<F>,
    ) => Preparable<Rows>,
  ) => {
    const statements = new Map<string, Statement<Rows>>();
    return (db: Reader, filters: F): Promise<Rows> => {
      const { shape, values, lengths } = spread(filters);
      let statement = statements.get(shape);
      if (statement === undefined) {
        const built = (builder: Builder) => build(builder, givenFilters(lengths));
        statement = { writes: false, ...(by === undefined ? {} : { by }), build: built };
        statements.set(shape, statement);
      }
      return db[run](statement, values);
    };
  };
}

interface SpreadFilters {
  /** Identifies the statement that serves these filters. */
  readonly shape: string;
  readonly values: Values;
  /** The number of placeholders per filter; 0 for a filter with a single value. */
  readonly lengths: ReadonlyMap<string, number>;
}

/**
 * Gives each value of a list its own placeholder. The list is padded to a power of two by repeating
 * its last value, so that few statements are needed.
 */
function spread(filters: object): SpreadFilters {
  const values: Values = {};
  const lengths = new Map<string, number>();
  let shape = "";
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined) continue;
    const length = Array.isArray(value) ? powerOfTwo(value.length) : 0;
    lengths.set(name, length);
    shape += `${name} ${length} `;
    values[name] = value;
    if (!Array.isArray(value)) continue;
    placesOf(name, length).forEach((place, index) => {
      values[place] = value[Math.min(index, value.length - 1)] ?? null;
    });
  }
  return { shape, values, lengths };
}

function powerOfTwo(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(count, 1)));
}

const places = new Map<string, readonly string[]>();

/** The placeholder names of a filter, cached because lists of ids are on every hot path. */
function placesOf(name: string, length: number): readonly string[] {
  const key = `${name} ${length}`;
  const known = places.get(key);
  if (known !== undefined) return known;
  const made = Array.from({ length }, (_, index) => `${name}:${index}`);
  places.set(key, made);
  return made;
}

function givenFilters<F>(lengths: ReadonlyMap<string, number>): GivenFilters<F> {
  return {
    has: (name) => lengths.has(name),
    one: (name) => sql.placeholder(name),
    each: (name) => placesOf(name, lengths.get(name) ?? 0).map((place) => sql.placeholder(place)),
  };
}

/** Placeholders are made when they are accessed; the cast gives them the names of the values. */
export function placeholders<V>(): Placeholders<V> {
  return assume<Placeholders<V>>(
    new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) }),
  );
}

/** The cast of values by column name to the values of this table. */
function valuesOf<T extends PgTable>(values: object) {
  return assume<PgInsertValue<T> & PgUpdateSetSource<T>>(values);
}

/**
 * One encoded placeholder for each of these columns, by default for all. The cast holds, because the
 * columns are the table's own.
 */
export function columnPlaces<T extends PgTable>(
  table: T,
  columns: Readonly<Record<string, PgColumn>> = getTableColumns<PgTable>(table),
) {
  return valuesOf<T>(
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [
        name,
        sql`${sql.param(sql.placeholder(name), column)}`,
      ]),
    ),
  );
}
