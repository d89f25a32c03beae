// A resource's table, declared once: a column is named by its property, and the row's type follows. A column that can
// hold words about a customer says whether it is personal: what an erasure leaves of a row follows from that.
// drizzle-kit loads this file to find tables, so it imports no statement and opens no database.

import { type BuildExtraConfigColumns, getTableColumns } from "drizzle-orm";
import type { PgColumnBuilderBase, PgTable, PgTableExtraConfigValue } from "drizzle-orm/pg-core";

import { assume } from "#kernel/assume.ts";
import type { Id, IdKind } from "#kernel/id.ts";

import { int, table, text, time } from "./kit.ts";

const isHidden: unique symbol = Symbol("hidden");
interface Hidden {
  readonly [isHidden]: true;
}

/** Answers what an erasure leaves of a value. */
type Left = (value: never) => unknown;

const leftBy: unique symbol = Symbol("left by an erasure");
interface Decided<S> {
  /** Null where an erasure leaves every value as it is. */
  readonly [leftBy]: Left | null;
  /** The type that it stored when that was decided: with a later `notNull` it has no null to leave. */
  readonly decidedFor?: S;
}

type DataOf<C extends PgColumnBuilderBase> = C["_"] extends { $type: infer T } ? T : C["_"]["data"];
type Stored<C extends PgColumnBuilderBase> = C["_"] extends { notNull: true }
  ? DataOf<C>
  : DataOf<C> | null;

/** Free texts and JSON can hold a person's words; ids, choices, numbers and times cannot. */
type MayBePersonal<C extends PgColumnBuilderBase> = [C["_"]["dataType"], string] extends
  ["custom", unknown] | ["string", DataOf<C>]
  ? true
  : false;

type DecidedColumns<C extends Columns> = {
  [K in keyof C]: MayBePersonal<C[K]> extends true
    ? C[K] extends Decided<Stored<C[K]>>
      ? C[K]
      : "declare it with plain() or personal()"
    : C[K];
};

type Columns = Readonly<Record<string, PgColumnBuilderBase>>;
type HiddenName<C extends Columns> = { [K in keyof C]: C[K] extends Hidden ? K : never }[keyof C];

/** The place at which a record has the names of its hidden columns. */
const hiddenNames: unique symbol = Symbol("hidden names");
/** The place at which it has its columns as they were declared, which know what an erasure leaves of them. */
const declared: unique symbol = Symbol("declared columns");

/** A table that knows which of its columns are hidden, and which are personal. */
export type RecordTable<Name extends PropertyKey = PropertyKey> = PgTable & {
  readonly [hiddenNames]: ReadonlySet<Name>;
  readonly [declared]: Columns;
};

type HiddenNameOf<T extends RecordTable> = T extends RecordTable<infer Name> ? Name : never;

/** The row of a record as rules and presenters have it: without its hidden columns. */
export type RowOf<T extends RecordTable> = Readonly<
  [HiddenNameOf<T>] extends [never] ? T["$inferSelect"] : Omit<T["$inferSelect"], HiddenNameOf<T>>
>;

/** The row as it is inserted, with its hidden columns. */
export type WholeRowOf<T extends PgTable> = Readonly<T["$inferSelect"]>;

/** An id of this kind. */
export function id<K extends IdKind>(_kind: K) {
  return text().$type<Id<K>>();
}

/** The last columns of a resource of which each change is a version. */
export function stamps() {
  return {
    version: int().notNull(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  };
}

/**
 * A column that is written and compared but never read out, such as a hash or a sealed secret: it is
 * absent from the row's type and from what the record's statements answer.
 */
export function hidden<C extends PgColumnBuilderBase>(column: C): C & Hidden {
  return Object.assign(column, { [isHidden]: true } as const);
}

/** A column without personal data of customers: an erasure leaves it as it is. */
export function plain<C extends PgColumnBuilderBase>(column: C): C & Decided<Stored<C>> {
  return Object.assign(column, { [leftBy]: null });
}

/**
 * A column of personal data: what a customer says or is found by, and what the merchant writes about one. An erasure
 * leaves null in it, or what `left` answers of a value that is not null.
 */
export function personal<C extends PgColumnBuilderBase>(
  column: C,
  ...[left]: null extends Stored<C>
    ? [left?: (value: Exclude<Stored<C>, null>) => Stored<C>]
    : [left: (value: Stored<C>) => Stored<C>]
): C & Decided<Stored<C>> {
  return Object.assign(column, { [leftBy]: left ?? (() => null) });
}

/** Keeps these members of an object, and leaves null in place of the others. */
export function keeping<K extends string>(...kept: readonly K[]) {
  return <V extends Readonly<Record<K, unknown>>>(value: V): V => {
    const left = { ...value };
    for (const name of Object.keys(left)) {
      if (!kept.some((one) => one === name)) Reflect.set(left, name, null);
    }
    return left;
  };
}

/** The property of a row that has the value of a column or of a field: `paidAt` of `paid_at`. */
export function propertyOf(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A table whose columns are named by their properties in snake_case: `paidAt` is `paid_at`. */
export function record<N extends string, C extends Columns>(
  name: N,
  columns: C & DecidedColumns<C>,
  constraints: (row: BuildExtraConfigColumns<N, C, "pg">) => PgTableExtraConfigValue[],
) {
  for (const [property, column] of Object.entries<PgColumnBuilderBase>(columns)) {
    setName(
      column,
      property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
  }
  const made = table<N, C>(name, columns, constraints);
  return Object.assign(made, { [hiddenNames]: hiddenNamesOf(columns), [declared]: columns });
}

/** The columns that may be read out, by their properties; for a select. The cast leaves the others out. */
export function shownColumns<T extends RecordTable>(
  of: T,
): Omit<T["_"]["columns"], HiddenNameOf<T>> {
  const shown = Object.entries(getTableColumns(of)).filter(([name]) => !of[hiddenNames].has(name));
  return assume<Omit<T["_"]["columns"], HiddenNameOf<T>>>(Object.fromEntries(shown));
}

/** The row as an erasure leaves it. What depends on another column of the row, the story sets afterwards. */
export function redacted<T extends RecordTable>(of: T, row: RowOf<T>): RowOf<T> {
  const left = Object.entries(row).map(([name, value]) => [name, leftOf(of, name, value)]);
  return { ...row, ...Object.fromEntries(left) };
}

/** Tells whether the property is a column without personal data. */
export function isPlain(of: RecordTable, property: string): boolean {
  return Object.hasOwn(of[declared], property) && leftOfColumn(of, property) === null;
}

/** The rest of a column's value after an erasure; all of it where the column is not personal. */
export function leftOf(of: RecordTable, property: string, value: unknown): unknown {
  const left = leftOfColumn(of, property);
  return left === null || value === null ? value : Reflect.apply(left, undefined, [value]);
}

function leftOfColumn(of: RecordTable, property: string): Left | null {
  const column = of[declared][property];
  return column !== undefined && isDecided(column) ? column[leftBy] : null;
}

function isDecided(column: PgColumnBuilderBase): column is PgColumnBuilderBase & Decided<unknown> {
  return leftBy in column;
}

/** The cast that reaches the method by which drizzle itself names a column without a name. */
function setName(column: PgColumnBuilderBase, name: string): void {
  assume<{ setName(name: string): void }>(column).setName(name);
}

/** The cast holds: these are the properties whose columns are hidden. */
function hiddenNamesOf<C extends Columns>(columns: C): ReadonlySet<HiddenName<C>> {
  const names = Object.keys(columns).filter((name) => isHidden in (columns[name] ?? {}));
  return assume<ReadonlySet<HiddenName<C>>>(new Set(names));
}
