// Prepared statements: built once per connection, run with named values. Building a query anew
// costs more than running it, so everything on a hot path goes through here.

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

/** A named place in the statement for each value it is run with. */
export type Placeholders<V> = { readonly [K in keyof V]-?: Placeholder };

/** A read, on whichever handle it is given: committed rows on a Reader, its own writes on a Tx. */
export function prepared<V extends object>() {
  return <Rows>(
    build: (
      db: Pick<Builder, "select" | "selectDistinct">,
      at: Placeholders<V>,
    ) => Preparable<Rows>,
  ) => {
    const statement: Statement<Rows> = {
      writes: false,
      build: (builder) => build(builder, slots()),
    };
    return (db: Reader, values: V): Promise<Rows> => db[run](statement, values);
  };
}

/**
 * A read of rows that a story decides on: on a transaction nobody else changes them until it ends.
 * One of them at a time, or in the order of their keys, else two stories wait for each other. Where
 * one writer is alone nothing needs to be held.
 */
export function preparedLock<V extends object>() {
  return <Rows>(
    build: (
      db: Pick<Builder, "select" | "selectDistinct">,
      at: Placeholders<V>,
    ) => Preparable<Rows>,
  ) => {
    const statement: Statement<Rows> = {
      writes: false,
      locks: true,
      build: (builder) => build(builder, slots()),
    };
    return (db: Reader, values: V): Promise<Rows> => db[run](statement, values);
  };
}

/** A write. Guards are conditional and answer through `.returning()`: no row means "not so". */
export function preparedWrite<V extends object>() {
  return <Rows>(build: (tx: Builder, at: Placeholders<V>) => Preparable<Rows>) => {
    const statement: Statement<Rows> = {
      writes: true,
      build: (builder) => build(builder, slots()),
    };
    return (tx: Tx, values: V): Promise<Rows> => tx[run](statement, values);
  };
}

/** The statement that appends one whole row of a table. */
export function insertStatement<T extends PgTable>(table: T): Statement<unknown> {
  return {
    writes: true,
    build: (builder) => builder.insert(table).values(columnPlaces(table)),
  };
}

/** Appends one whole row; every column is given, so that nothing depends on a default. */
export function preparedInsert<T extends PgTable>(table: T) {
  const statement = insertStatement(table);
  return async (tx: Tx, row: T["$inferSelect"]): Promise<void> => {
    await tx[run](statement, row);
  };
}

/**
 * Adds a whole row to the one with the same key, which it is where there is none. The sums are added
 * up; what is neither key nor sum stays as it was.
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

/** A table whose rows are resources: an id, and a version that rises with each change. */
type VersionedTable = PgTable & { readonly id: PgColumn; readonly version: PgColumn };

/**
 * Replaces a whole row by its next version. Answers false, and changes nothing, where the row is
 * not of the version before: somebody was faster.
 */
export function preparedReplace<T extends VersionedTable>(table: T) {
  const statement: Statement<unknown> = {
    writes: true,
    build: (builder) =>
      builder
        .update(table)
        .set(columnPlaces(table))
        .where(
          sql`${table.id} = ${sql.placeholder("id")} AND ${table.version} = ${sql.placeholder("version")} - 1`,
        )
        .returning({ id: table.id }),
  };
  return async (tx: Tx, row: T["$inferSelect"]): Promise<boolean> => {
    const replaced = await tx[run](statement, row);
    return Array.isArray(replaced) && replaced.length === 1;
  };
}

/** The filters of a list as its statement sees them: which are given, and where their values go. */
export interface GivenFilters<F> {
  has(name: keyof F & string): boolean;
  one(name: keyof F & string): Placeholder;
  each(name: keyof F & string): Placeholder[];
}

/** A family of reads, one statement for each set of filters that is in use. */
export function preparedByFilters<F extends object>() {
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
        statement = { writes: false, build: (builder) => build(builder, givenFilters(lengths)) };
        statements.set(shape, statement);
      }
      return db[run](statement, values);
    };
  };
}

interface SpreadFilters {
  /** The same for every set of filters that one statement serves. */
  readonly shape: string;
  readonly values: Values;
  /** How many places a filter takes: none of its own for a single value. */
  readonly lengths: ReadonlyMap<string, number>;
}

/** A list of values takes a place for each; its last is repeated, so that few lengths come up. */
function spread(filters: object): SpreadFilters {
  const values: Values = {};
  const lengths = new Map<string, number>();
  let shape = "";
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined) continue;
    const length = Array.isArray(value) ? powerOfTwo(value.length) : 0;
    lengths.set(name, length);
    shape += `${name} ${length} `;
    if (Array.isArray(value)) {
      placesOf(name, length).forEach((place, index) => {
        values[place] = value[Math.min(index, value.length - 1)] ?? null;
      });
    } else values[name] = value;
  }
  return { shape, values, lengths };
}

function powerOfTwo(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(count, 1)));
}

const places = new Map<string, readonly string[]>();

/** The names of a filter's places; made once, because lists of ids are on every hot path. */
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

/** Slots make themselves when they are named; the cast gives them the names of the values. */
function slots<V>(): Placeholders<V> {
  return assume<Placeholders<V>>(
    new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) }),
  );
}

/** The cast that says of values by column name that they are of this table. */
function valuesOf<T extends PgTable>(values: object) {
  return assume<PgInsertValue<T> & PgUpdateSetSource<T>>(values);
}

/**
 * A place for each of these columns, by default for all, with its encoding. The cast holds: they are the
 * table's own.
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

/** A filter's name whose value is a list, where it is given. */
type ListName<F> = {
  [K in keyof F]-?: NonNullable<F[K]> extends readonly unknown[] ? K : never;
}[keyof F];

/**
 * The first rows, newest id first, that match any of the values of the named filters. The first of
 * them that has several values is asked value by value; the others stay conditions on each row.
 */
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
