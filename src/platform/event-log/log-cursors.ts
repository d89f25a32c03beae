// The cursors of the consumers of the event log. Invariant: a cursor moves in the same commit as
// the consumer's own writes, so each event counts once, also after crashes and with several
// programs.

import { and, eq, sql } from "drizzle-orm";

import { nextTurn } from "#kernel/time.ts";
import { type Database, type Reader, type Tx, WriteConflict } from "#platform/database/database.ts";
import { prepared, preparedLock, preparedWrite } from "#platform/database/prepared.ts";
import { logCursors } from "#platform/database/tables.ts";

import { eventsAfter, findEventIdAt, lastSequence, type LoggedEvent } from "./event-log.ts";
import { emptyTables } from "./reset.ts";

const byConsumer = prepared<{ consumer: string }>()((db, at) =>
  db.select().from(logCursors).where(eq(logCursors.consumer, at.consumer)),
);
const all = prepared()((db) => db.select().from(logCursors));
const toLock = preparedLock<{ consumer: string }>()((db, at) =>
  db.select().from(logCursors).where(eq(logCursors.consumer, at.consumer)),
);
const begin = preparedWrite<{ consumer: string; sequence: number }>()((tx, at) =>
  tx
    .insert(logCursors)
    .values({ consumer: at.consumer, sequence: at.sequence })
    .onConflictDoNothing()
    .returning({ consumer: logCursors.consumer }),
);
const move = preparedWrite<{ consumer: string; from: number; to: number }>()((tx, at) =>
  tx
    .update(logCursors)
    .set({ sequence: sql`${at.to}` })
    .where(and(eq(logCursors.consumer, at.consumer), eq(logCursors.sequence, at.from)))
    .returning({ consumer: logCursors.consumer }),
);
const reset = preparedWrite<{ consumer: string }>()((tx, at) =>
  tx
    .insert(logCursors)
    .values({ consumer: at.consumer, sequence: 0 })
    .onConflictDoUpdate({ target: logCursors.consumer, set: { sequence: 0 } }),
);
const drop = preparedWrite<{ consumer: string }>()((tx, at) =>
  tx.delete(logCursors).where(eq(logCursors.consumer, at.consumer)),
);

/** The last sequence that the consumer has read; 0 if it has not begun. */
export async function findLogCursor(db: Reader, consumer: string): Promise<number> {
  return (await byConsumer(db, { consumer }))[0]?.sequence ?? 0;
}

/** How many events each of these consumers has still to read, by its name; one that has not begun is left out. */
export async function countUnread(
  db: Reader,
  consumers: readonly string[],
): Promise<Record<string, number>> {
  // Read before the end of the log: a cursor is never past it.
  const cursors = await all(db, {});
  const last = await lastSequence(db);
  const begun = cursors.filter(({ consumer }) => consumers.includes(consumer));
  return Object.fromEntries(begun.map(({ consumer, sequence }) => [consumer, last - sequence]));
}

/**
 * The last sequence that the consumer has read, locking the cursor until the transaction ends: a second reader waits and
 * continues after the first one.
 */
export async function lockLogCursor(tx: Tx, consumer: string): Promise<number> {
  return (await toLock(tx, { consumer }))[0]?.sequence ?? 0;
}

/** A part of the log that was read before the transaction that moves the cursor past it. */
export interface ReadAhead {
  readonly from: number;
  readonly until: number;
  /** The event of `until` as it was read; undefined after a reset, which empties the log. */
  readonly lastId: string | undefined;
}

/**
 * Locks the cursor. False where another program was faster, and where the rows of the shop were replaced: by none, or by
 * those of a snapshot, which has not all of the events and gives their sequences to others. What was read is then void.
 */
export async function isStillNext(
  tx: Tx,
  consumer: string,
  { from, until, lastId }: ReadAhead,
): Promise<boolean> {
  if ((await lockLogCursor(tx, consumer)) !== from) return false;
  return (await lastSequence(tx)) >= until && (await findEventIdAt(tx, until)) === lastId;
}

/**
 * Moves the cursor to `to`. Throws WriteConflict unless it is at `from`: another program read the
 * same events, so this transaction must be undone. A new consumer has no row to lock, so move its
 * cursor before writing anything that depends on earlier reads.
 */
export async function moveLogCursor(
  tx: Tx,
  consumer: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  if (from === 0 && (await begin(tx, { consumer, sequence: to })).length === 1) return;
  const moved = await move(tx, { consumer, from, to });
  if (moved.length !== 1) throw new WriteConflict(`The cursor of ${consumer}`);
}

/** Begins after the last event, unless the consumer has begun. Returns whether it begins now. */
export async function beginLogCursor(tx: Tx, consumer: string): Promise<boolean> {
  return (await begin(tx, { consumer, sequence: await lastSequence(tx) })).length === 1;
}

/** Afterwards the consumer has not begun. */
export async function dropLogCursor(tx: Tx, consumer: string): Promise<void> {
  await drop(tx, { consumer });
}

/** Tables that follow from the log alone. */
export interface Projection {
  /** The name of the log cursor. */
  readonly consumer: string;
  /** The tables that it writes: those that refer to others come before them. */
  readonly tables: readonly string[];
  /** As many as take a few milliseconds, the longest that a request waits behind them. */
  readonly eventsPerCommit: number;
  /** Writes what follows from the events. */
  readonly add: (tx: Tx, events: readonly LoggedEvent[]) => Promise<void>;
}

/** Adds the next events. The cursor is locked first, so programs read in turn. Returns whether there may be more. */
export async function projectNext(
  tx: Tx,
  { consumer, eventsPerCommit, add }: Projection,
): Promise<boolean> {
  const from = await lockLogCursor(tx, consumer);
  // Read before the events: the cursor must not pass events that are committed in between.
  const last = await lastSequence(tx);
  // Events of all names, because those of some would be sorted anew for each step.
  const found = await eventsAfter(tx, { after: from, limit: eventsPerCommit });
  // After a reset the log is empty but its sequence continues.
  const to = found.at(-1)?.sequence ?? last;
  if (to === from) return false;
  await moveLogCursor(tx, consumer, { from, to });
  await add(tx, found);
  return found.length === eventsPerCommit;
}

/** Empties the tables and adds the whole log. Returns the last sequence that was added. */
export async function projectAnew(database: Database, projection: Projection): Promise<number> {
  const { consumer, tables } = projection;
  await database.write(async (tx) => {
    // First, so that no other program adds events to what is emptied.
    await reset(tx, { consumer });
    await emptyTables(tx, tables);
  });
  while (await database.write((tx) => projectNext(tx, projection))) await nextTurn();
  return findLogCursor(database.read, consumer);
}
