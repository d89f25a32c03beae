// Whole tables in the hands of one transaction of PostgreSQL, for the rare work that is about everything.

import { assume } from "#kernel/assume.ts";
import { type Preparable, run, type Statement, type Tx } from "#platform/database/database.ts";

/**
 * Nobody else writes to these tables until the transaction ends, and who is writing has ended; reading
 * goes on. Two that want each other's tables are told by the server, and one of them begins again.
 */
export async function lockTables(tx: Tx, names: readonly string[]): Promise<void> {
  await tx[run](lockStatement(names), {});
}

/** drizzle has no word for it; the names are the program's own. */
function lockStatement(names: readonly string[]): Statement<unknown> {
  const tables = names.map((name) => `"${name}"`).join(", ");
  const queryString = `LOCK TABLE ${tables} IN EXCLUSIVE MODE`;
  const prepared = assume<ReturnType<Preparable<unknown>["prepare"]>>({ queryString, params: [] });
  return { writes: true, build: () => ({ prepare: () => prepared }) };
}
