// Converts drizzle's statements to text for SQLite, once for all connections: building a query costs more than
// preparing its text.

import type { Database as SqliteFile, SQLQueryBindings } from "bun:sqlite";

import { drizzle } from "drizzle-orm/bun-sqlite";

import { assume } from "#kernel/assume.ts";
import type { Builder, Statement } from "#platform/database/database.ts";
import { binderOf, decoderOf, type SelectedField } from "#platform/database/statement-values.ts";

/** A statement on its connection. */
export interface ReadyStatement {
  readonly text: string;
  /** The words of its text, among which are the names of all tables that it touches. */
  readonly words: ReadonlySet<string>;
  /** The table that a write changes; null for a read, or if the text does not begin with it. */
  readonly table: string | null;
  /** Returns the named values as they are bound. */
  readonly bind: (values: object) => readonly unknown[];
  /** Returns the rows. */
  readonly run: (bound: readonly unknown[]) => unknown[];
}

const WORD = /\w+/g;
const CHANGED_TABLE = /^(?:insert(?: or ignore)? into|update|delete from) "(\w+)"/i;

/** The answer of a write that returns no rows, whether it wrote any or not. */
export const RETURNS_NONE: unknown[] = [];

/** The answer of a write whose caller asks only whether it wrote a row. */
const WROTE: unknown[] = [{}];
const WROTE_NONE: unknown[] = [];

/** A statement's text, and how its values are bound and its rows decoded. */
interface ReadyText {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** The table that a write changes; null for a read, or if the text does not begin with it. */
  readonly table: string | null;
  readonly bind: (values: object) => unknown[];
  /** Null for a write that returns nothing. */
  readonly decode: ((row: readonly unknown[]) => unknown) | null;
}

/** The part of drizzle's prepared statement that is used here. */
interface Prepared {
  readonly query: { readonly sql: string; readonly params: readonly unknown[] };
  /** The selected columns; undefined for a write that returns nothing. */
  readonly fields: readonly SelectedField[] | undefined;
}

/**
 * Builds statements and cannot run them: the file that it would run them on prepares nothing. The cast lets one
 * statement serve both engines: drizzle's SQLite builders have the same calls.
 */
const statementBuilder = assume<Builder>(
  drizzle({ client: assume<SqliteFile>({ prepare: () => null }) }),
);
const texts = new WeakMap<Statement<unknown>, ReadyText>();

/** Prepares a statement on one connection. Each column has one name; nested selections are a bug. */
export function readyStatement(file: SqliteFile, statement: Statement<unknown>): ReadyStatement {
  const { text, words, table, bind, decode } = textOf(statement);
  const prepared = file.prepare<unknown, SQLQueryBindings[]>(text);
  if (statement.confirms === true) {
    const run = (bound: readonly unknown[]) =>
      prepared.run(...asBindings(bound)).changes > 0 ? WROTE : WROTE_NONE;
    return { text, words, table, bind, run };
  }
  if (decode !== null) {
    return {
      text,
      words,
      table,
      bind,
      run: (bound) => prepared.values(...asBindings(bound)).map(decode),
    };
  }
  const run = (bound: readonly unknown[]) => {
    prepared.run(...asBindings(bound));
    return RETURNS_NONE;
  };
  return { text, words, table, bind, run };
}

/** The converted statement, cached. */
function textOf(statement: Statement<unknown>): ReadyText {
  const known = texts.get(statement);
  if (known !== undefined) return known;
  const { query, fields } = asPrepared(statement.build(statementBuilder).prepare(""));
  const made = {
    text: planned(statement.confirms === true ? withoutRows(query.sql) : query.sql),
    words: new Set(query.sql.match(WORD)),
    table: CHANGED_TABLE.exec(query.sql)?.[1] ?? null,
    bind: binderOf(query.params),
    decode: fields === undefined ? null : decoderOf(fields),
  };
  texts.set(statement, made);
  return made;
}

/**
 * The statement with a plan that no value changes. Where a sorted read compares a column with a bound value, or is
 * limited by one, SQLite compiles the statement again for each new value, in case that value has a better plan
 * (sqlite.org/c3ref/prepare.html): three to ten times the cost of a short read. It does not look at a value behind a
 * unary plus, which changes nothing else. Conditions of partial indexes have to stand in the text anyway.
 */
function planned(text: string): string {
  return text.replaceAll(/(= |\blimit )\?/g, "$1+?");
}

/**
 * The write without the row that it returns. SQLite makes that row by a trigger, for which it keeps a journal of the
 * statement: a copy of each page that it changes, and a savepoint, at which the index of full texts is written out.
 */
function withoutRows(text: string): string {
  return text.replace(/ returning .*$/s, "");
}

/**
 * The cast to the private shape of drizzle 0.45's prepared statement for bun:sqlite, which tests
 * verify.
 */
function asPrepared(prepared: unknown): Prepared {
  return assume<Prepared>(prepared);
}

/** The cast of encoded values to the driver's types. */
function asBindings(values: readonly unknown[]): SQLQueryBindings[] {
  return assume<SQLQueryBindings[]>(values);
}
