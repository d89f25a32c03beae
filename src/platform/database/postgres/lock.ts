// Locks whole tables of PostgreSQL, for the rare work on all their rows.

import { assume } from "#kernel/assume.ts";
import { type Preparable, run, type Statement, type Tx } from "#platform/database/database.ts";

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
