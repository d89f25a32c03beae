// Emptying tables, so that a test shop begins anew. Invariant: a sequence of the event log is never
// given twice, also when the log was emptied.

import { max, sql } from "drizzle-orm";

import { table } from "./kit.ts";
import { prepared, preparedWrite } from "./prepared.ts";
import type { Reader, Tx } from "./store.ts";
import { counters, events } from "./tables.ts";

/** The counter that a start takes as the floor of the log's sequence. */
const FLOOR = "event_sequence";

const lastEvent = prepared()((db) => db.select({ last: max(events.sequence) }).from(events));
const allCounters = prepared()((db) => db.select().from(counters));
const keepFloor = preparedWrite<{ value: number }>()((tx, at) =>
  tx
    .insert(counters)
    .values({ name: FLOOR, value: at.value })
    .onConflictDoUpdate({ target: counters.name, set: { value: sql`excluded.value` } }),
);

/** Afterwards the tables are empty; those that refer to others come before them. */
export async function emptyTables(tx: Tx, names: readonly string[]): Promise<void> {
  const sequence = await lastSequence(tx);
  for (const name of names) await tx.delete(table(name, {}));
  await keepFloor(tx, { value: sequence });
}

async function lastSequence(db: Reader): Promise<number> {
  const [event] = await lastEvent(db, {});
  const floor = (await allCounters(db, {})).find((counter) => counter.name === FLOOR);
  return Math.max(event?.last ?? 0, floor?.value ?? 0);
}
