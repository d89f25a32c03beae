// Whole tables in tests: reading all rows, and emptying one without the stories of its noun.

import type { PgTable } from "drizzle-orm/pg-core";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";

/** Every row of a table, in no order. */
export async function rowsOf<T extends PgTable>(
  db: Reader,
  table: T,
): Promise<T["$inferSelect"][]> {
  return prepared()((build) => build.select().from<PgTable>(table))(db, {});
}

/** Afterwards the table is empty. */
export async function emptyTable(tx: Tx, table: PgTable): Promise<void> {
  await preparedWrite()((build) => build.delete(table))(tx, {});
}
