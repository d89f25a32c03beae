// Converts drizzle's statements to text for PostgreSQL, once for all connections. Invariant: a
// converted statement keeps no connection, so it runs on any, inside a transaction or outside.

import { drizzle } from "drizzle-orm/bun-sql";

import { assume } from "#kernel/assume.ts";
import type { Builder, Preparable, Statement } from "#platform/database/database.ts";
import { binderOf, decoderOf, type SelectedField } from "#platform/database/statement-values.ts";

/** A statement's text, and how its values are bound and its rows decoded. */
export interface ReadyText {
  readonly text: string;
  /** The same text, locking the rows it reads where the statement asks for that. */
  readonly lockingText: string;
  /** Whether it returns rows, so that its response must be awaited. */
  readonly answers: boolean;
  readonly bind: (values: object) => unknown[];
  readonly decode: (row: readonly unknown[]) => unknown;
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
  const made = makeReady(statement.build(statementBuilder), statement.locks);
  ready.set(statement, made);
  return made;
}

// Weaker than FOR UPDATE: inserting a row that refers to this one need not wait.
const lockWords = { alone: " for no key update", shared: " for share" };

function makeReady(statement: Preparable<unknown>, locks: Statement<unknown>["locks"]): ReadyText {
  const { queryString: text, params, fields } = asPrepared(statement.prepare(""));
  return {
    text,
    lockingText: locks === undefined ? text : text + lockWords[locks],
    answers: fields !== undefined,
    bind: binderOf(params),
    decode: fields === undefined ? (row) => row : decoderOf(fields),
  };
}

/**
 * The cast to the private shape of drizzle 0.45's prepared statement for Bun.sql, which tests
 * verify.
 */
function asPrepared(prepared: unknown): Prepared {
  return assume<Prepared>(prepared);
}
