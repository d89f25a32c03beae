// Emptying tables, so that a test shop begins anew. Invariant: a sequence of the event log is never
// given twice, also when the log was emptied.

import { sql } from "drizzle-orm";

import { lastSequence, SEQUENCE_FLOOR } from "./event-log.ts";
import { table } from "./kit.ts";
import { preparedWrite } from "./prepared.ts";
import type { Tx } from "./store.ts";
import { counters } from "./tables.ts";

const keepFloor = preparedWrite<{ value: number }>()((tx, at) =>
  tx
    .insert(counters)
    .values({ name: SEQUENCE_FLOOR, value: at.value })
    .onConflictDoUpdate({ target: counters.name, set: { value: sql`excluded.value` } }),
);

/** Afterwards the tables are empty; those that refer to others come before them. */
export async function emptyTables(tx: Tx, names: readonly string[]): Promise<void> {
  const sequence = await lastSequence(tx);
  for (const name of names) await tx.delete(table(name, {}));
  await keepFloor(tx, { value: sequence });
}
