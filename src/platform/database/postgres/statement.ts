// A statement that drizzle wrote for PostgreSQL, made ready once for all connections: its text, its
// values' places and its columns. Invariant: it keeps no connection, so it runs on whichever it is
// handed to, inside a transaction or outside.

import { drizzle } from "drizzle-orm/bun-sql";

import { assume } from "#kernel/assume.ts";
import type { Builder, Preparable, Statement } from "#platform/database/database.ts";
import { binderOf, decoderOf, type SelectedField } from "#platform/database/statement-values.ts";

/** A statement's text, and how values go in and rows come out. */
export interface ReadyText {
  readonly text: string;
  /** The same where the rows it reads are to stay as they are. */
  readonly holding: string;
  /** Whether somebody waits for its rows. */
  readonly answers: boolean;
  readonly bind: (values: object) => unknown[];
  readonly decode: (row: readonly unknown[]) => unknown;
}

/** What is used of a statement that drizzle prepared for Bun.sql. */
interface Prepared {
  readonly queryString: string;
  readonly params: readonly unknown[];
  /** The columns it answers; undefined for a write that returns nothing. */
  readonly fields: readonly SelectedField[] | undefined;
}

/** Writes statements and runs none. */
const scribe = assume<Builder>(drizzle.mock());
const ready = new WeakMap<Statement<unknown>, ReadyText>();

/** The statement, made ready when it is first needed. */
export function readyText(statement: Statement<unknown>): ReadyText {
  const known = ready.get(statement);
  if (known !== undefined) return known;
  const made = makeReady(statement.build(scribe), statement.locks === true);
  ready.set(statement, made);
  return made;
}

function makeReady(statement: Preparable<unknown>, holds: boolean): ReadyText {
  const { queryString: text, params, fields } = asPrepared(statement.prepare(""));
  return {
    text,
    // Not FOR UPDATE: whoever inserts a row that refers to this one need not wait.
    holding: holds ? `${text} for no key update` : text,
    answers: fields !== undefined,
    bind: binderOf(params),
    decode: fields === undefined ? (row) => row : decoderOf(fields),
  };
}

/** The cast to what drizzle 0.45 keeps in its prepared statement for Bun.sql; tests hold it. */
function asPrepared(prepared: unknown): Prepared {
  return assume<Prepared>(prepared);
}
