// Emptying tables, so that a test shop begins anew. Invariant: a sequence of the event log is never
// given twice, also when the log was emptied, and nothing that is written meanwhile is left over in part.

import { lt, ne, sql } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import { engine } from "#platform/database/engine.ts";
import { table } from "#platform/database/kit.ts";
import { lockTables } from "#platform/database/postgres/lock.ts";
import { preparedWrite } from "#platform/database/prepared.ts";
import { counters } from "#platform/database/tables.ts";

import { lastSequence, SEQUENCE_FLOOR } from "./event-log.ts";

/** Never lower: where many programs write, the row is what they count by. */
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
/** Whoever waits to count on must find the row that they wait for. */
const dropCounters = preparedWrite<{ kept: string }>()((tx, at) =>
  tx.delete(counters).where(ne(counters.name, at.kept)),
);

/** SQLite's own directory of what it searches. */
const absentOnPostgres: readonly string[] = ["search_entries"];

type Deletion = (tx: Tx, values: object) => Promise<unknown>;
const deletions = new Map<string, Deletion>();

/** Afterwards the tables are empty; those that refer to others, or are written after them, come first. */
export async function emptyTables(tx: Tx, names: readonly string[]): Promise<void> {
  const present = engine === "postgres" ? await lockPresent(tx, names) : names;
  const sequence = await lastSequence(tx);
  for (const name of present) {
    if (name === "counters") await dropCounters(tx, { kept: SEQUENCE_FLOOR });
    else await deletionOf(name)(tx, {});
  }
  if (present.includes("events")) await saveFloor(tx, { value: sequence });
}

/** The statement that deletes all rows of a table; made once, because each connection keeps what it prepared. */
function deletionOf(name: string): Deletion {
  const known = deletions.get(name);
  if (known !== undefined) return known;
  const made: Deletion = preparedWrite()((tx) => tx.delete(table(name, {})));
  deletions.set(name, made);
  return made;
}

/** What is written at the same moment was written before, and goes, or comes after and stays. */
async function lockPresent(tx: Tx, names: readonly string[]): Promise<readonly string[]> {
  const present = names.filter((name) => !absentOnPostgres.includes(name));
  // As stories write: first what others refer to, last what the machinery keeps of them.
  await lockTables(tx, present.toReversed());
  return present;
}
