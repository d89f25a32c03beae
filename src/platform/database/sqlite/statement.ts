// Prepares drizzle's statements for bun:sqlite.

import type { SQLQueryBindings, Statement as DriverStatement } from "bun:sqlite";

import { assume } from "#kernel/assume.ts";
import type { Preparable } from "#platform/database/database.ts";
import { binderOf, decoderOf, type SelectedField } from "#platform/database/statement-values.ts";

/** Runs with named values and returns rows. */
export type ReadyStatement = (values: object) => unknown[];

/** The part of drizzle's prepared statement that is used here. */
interface Prepared {
  readonly stmt: DriverStatement<unknown, SQLQueryBindings[]>;
  readonly query: { readonly params: readonly unknown[] };
  /** The selected columns; undefined for a write that returns nothing. */
  readonly fields: readonly SelectedField[] | undefined;
}

/** Prepares a statement. Each column has one name; nested selections are a bug. */
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

/**
 * The cast to the private shape of drizzle 0.45's prepared statement for bun:sqlite, which tests
 * verify.
 */
function asPrepared(prepared: unknown): Prepared {
  return assume<Prepared>(prepared);
}

/** The cast of encoded values to the driver's types. */
function asBindings(values: unknown[]): SQLQueryBindings[] {
  return assume<SQLQueryBindings[]>(values);
}
