// A resource's table, declared once: a column is named by its property, and the row's type follows.
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

type Columns = Readonly<Record<string, PgColumnBuilderBase>>;
type HiddenName<C extends Columns> = { [K in keyof C]: C[K] extends Hidden ? K : never }[keyof C];

/** Where a record has the names of its hidden columns. */
const hiddenNames: unique symbol = Symbol("hidden names");

/** A table that knows which of its columns are hidden. */
export type RecordTable<Name extends PropertyKey = PropertyKey> = PgTable & {
  readonly [hiddenNames]: ReadonlySet<Name>;
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

/** A table whose columns are named by their properties in snake_case: `paidAt` is `paid_at`. */
export function record<N extends string, C extends Columns>(
  name: N,
  columns: C,
  constraints: (row: BuildExtraConfigColumns<N, C, "pg">) => PgTableExtraConfigValue[],
) {
  for (const [property, column] of Object.entries(columns)) {
    setName(
      column,
      property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
  }
  const made = table<N, C>(name, columns, constraints);
  return Object.assign(made, { [hiddenNames]: hiddenNamesOf(columns) });
}

/** The columns that may be read out, by their properties; for a select. The cast leaves the others out. */
export function shownColumns<T extends RecordTable>(
  of: T,
): Omit<T["_"]["columns"], HiddenNameOf<T>> {
  const shown = Object.entries(getTableColumns(of)).filter(([name]) => !of[hiddenNames].has(name));
  return assume<Omit<T["_"]["columns"], HiddenNameOf<T>>>(Object.fromEntries(shown));
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
