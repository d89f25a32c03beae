// A statement that drizzle prepared for bun:sqlite, made ready once.

import type { SQLQueryBindings, Statement as DriverStatement } from "bun:sqlite";

import { assume } from "#kernel/assume.ts";
import type { Preparable } from "#platform/database/database.ts";
import { binderOf, decoderOf, type SelectedField } from "#platform/database/statement-values.ts";

/** Runs with named values and answers rows. */
export type ReadyStatement = (values: object) => unknown[];

/** What is used of a statement that drizzle prepared for bun:sqlite. */
interface Prepared {
  readonly stmt: DriverStatement<unknown, SQLQueryBindings[]>;
  readonly query: { readonly params: readonly unknown[] };
  /** The columns it answers; undefined for a write that returns nothing. */
  readonly fields: readonly SelectedField[] | undefined;
}

/** Prepares a statement. Every column is answered under one name; nested selections are a bug. */
export function readyStatement(statement: Preparable<unknown>): ReadyStatement {
  const { stmt, query, fields } = asPrepared(statement.prepare(""));
  const bind = binderOf(query.params);
  if (fields === undefined) {
    return (values) => {
      stmt.run(...asBindings(bind(values)));
      return [];
    };
  }
  const decode = decoderOf(fields);
  return (values) => stmt.values(...asBindings(bind(values))).map(decode);
}

/** The cast to what drizzle 0.45 keeps in its prepared statement for bun:sqlite; tests hold it. */
function asPrepared(prepared: unknown): Prepared {
  return assume<Prepared>(prepared);
}

/** The cast of values that columns encoded for the driver. */
function asBindings(values: unknown[]): SQLQueryBindings[] {
  return assume<SQLQueryBindings[]>(values);
}
