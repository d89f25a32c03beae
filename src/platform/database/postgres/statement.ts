// Converts drizzle's statements to text for PostgreSQL, once for all connections. Invariant: a
// converted statement keeps no connection, so it runs on any, inside a transaction or outside.

import { drizzle } from "drizzle-orm/bun-sql";

import { assume } from "#kernel/assume.ts";
import {
  type Builder,
  type Preparable,
  run,
  type Statement,
  type Tx,
} from "#platform/database/database.ts";
import { binderOf, decoderOf, type SelectedField } from "#platform/database/statement-values.ts";

/** A statement's text, and how its values are bound and its rows decoded. */
export interface ReadyText {
  readonly text: string;
  /** The same text, locking the rows it reads where the statement asks for that. */
  readonly lockingText: string;
  /** True if it returns rows, so that its response must be awaited. */
  readonly answers: boolean;
  readonly bind: (values: object) => unknown[];
  readonly decode: (row: readonly unknown[]) => unknown;
  /** How the rows of a statement that appends are written together; absent of others. */
  readonly many?: ManyRows;
}

/** One text for any number of rows, which are its only value: JSON objects by column. */
export interface ManyRows {
  readonly text: string;
  /** The columns in the order in which `bind` has their values. */
  readonly columns: readonly string[];
}

/** The part of drizzle's prepared statement that is used here. */
interface Prepared {
  readonly queryString: string;
  readonly params: readonly unknown[];
  /** The selected columns; undefined for a write that returns nothing. */
  readonly fields: readonly SelectedField[] | undefined;
}

/** Builds statements and cannot run them. */
const statementBuilder = assume<Builder>(drizzle.mock());
const ready = new WeakMap<Statement<unknown>, ReadyText>();

/** The converted statement, cached. */
export function readyText(statement: Statement<unknown>): ReadyText {
  const known = ready.get(statement);
  if (known !== undefined) return known;
  const made = makeReady(statement);
  ready.set(statement, made);
  return made;
}

// Weaker than FOR UPDATE: inserting a row that refers to this one need not wait.
const lockWords = { alone: " for no key update", shared: " for share" };

function makeReady(statement: Statement<unknown>): ReadyText {
  const { locks, appends } = statement;
  const built = statement.build(statementBuilder);
  const { queryString: text, params, fields } = asPrepared(built.prepare(""));
  return {
    text,
    lockingText: locks === undefined ? text : text + lockWords[locks],
    answers: fields !== undefined,
    bind: binderOf(params),
    decode: fields === undefined ? (row) => row : decoderOf(fields),
    ...(appends === true && { many: manyRows(text) }),
  };
}

/** Makes the insert of many rows of that of one row with every column given. */
function manyRows(text: string): ManyRows {
  const [, table = "", list = ""] = /^insert into ("\w+") \(([^)]*)\)/.exec(text) ?? [];
  return {
    text: `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1::text::json)`,
    columns: list.match(/\w+/g) ?? [],
  };
}

/**
 * The cast to the private shape of drizzle 0.45's prepared statement for Bun.sql, which tests
 * verify.
 */
function asPrepared(prepared: unknown): Prepared {
  return assume<Prepared>(prepared);
}

/**
 * Locks the tables for writing until the transaction ends, after waiting for running writers; reads
 * continue. Two transactions that deadlock here are detected by the server, and one runs again.
 */
export async function lockTables(tx: Tx, names: readonly string[]): Promise<void> {
  await tx[run](lockStatement(names), {});
}

/** drizzle has no LOCK TABLE. The names are constants of the program. */
function lockStatement(names: readonly string[]): Statement<unknown> {
  const tables = names.map((name) => `"${name}"`).join(", ");
  const queryString = `LOCK TABLE ${tables} IN EXCLUSIVE MODE`;
  const prepared = assume<ReturnType<Preparable<unknown>["prepare"]>>({ queryString, params: [] });
  return { writes: true, build: () => ({ prepare: () => prepared }) };
}
