// Empties tables to reset a test shop. Invariant: sequences of the event log are never reused, and
// concurrent writes are removed or kept as a whole.

import { lt, ne, sql } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import { engine } from "#platform/database/engine.ts";
import { table } from "#platform/database/kit.ts";
import { preparedWrite } from "#platform/database/prepared.ts";
import { counters } from "#platform/database/tables.ts";

import { lastSequence, SEQUENCE_FLOOR } from "./event-log.ts";

/** Never lowers the counter: on PostgreSQL it numbers the events. */
const saveFloor = preparedWrite<{ value: number }>()((tx, at) =>
  tx
    .insert(counters)
    .values({ name: SEQUENCE_FLOOR, value: at.value })
    .onConflictDoUpdate({
      target: counters.name,
      set: { value: sql`excluded.value` },
      setWhere: lt(counters.value, sql`excluded.value`),
    }),
);
/** Keeps the counter's row, because concurrent transactions wait for its lock. */
const dropCounters = preparedWrite<{ kept: string }>()((tx, at) =>
  tx.delete(counters).where(ne(counters.name, at.kept)),
);

/** Tables that only SQLite has, for its search index. */
const absentOnPostgres: readonly string[] = ["search_entries"];

type Deletion = (tx: Tx, values: object) => Promise<unknown>;
const deletions = new Map<string, Deletion>();

/**
 * Empties the tables in the given order, which names referring tables before those they refer to.
 */
export async function emptyTables(tx: Tx, names: readonly string[]): Promise<void> {
  const present = engine === "postgres" ? await lockPresent(tx, names) : names;
  const sequence = await lastSequence(tx);
  for (const name of present) {
    if (name === "counters") await dropCounters(tx, { kept: SEQUENCE_FLOOR });
    else await deletionOf(name)(tx, {});
  }
  if (present.includes("events")) await saveFloor(tx, { value: sequence });
}

/**
 * The statement that deletes all rows of a table, cached because each connection keeps what it
 * prepared.
 */
function deletionOf(name: string): Deletion {
  const known = deletions.get(name);
  if (known !== undefined) return known;
  const made: Deletion = preparedWrite()((tx) => tx.delete(table(name, {})));
  deletions.set(name, made);
  return made;
}

/**
 * Locks the tables first: a concurrent transaction has committed before and is removed, or begins
 * after and stays.
 */
async function lockPresent(tx: Tx, names: readonly string[]): Promise<readonly string[]> {
  // It loads the driver, which a start on SQLite has no use for.
  const { lockTables } = await import("#platform/database/postgres/statement.ts");
  const present = names.filter((name) => !absentOnPostgres.includes(name));
  // Lock in the order in which stories write, which is the reverse, to avoid deadlocks.
  await lockTables(tx, present.toReversed());
  return present;
}
