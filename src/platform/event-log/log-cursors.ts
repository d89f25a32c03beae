// How far each consumer of the event log has come. Invariant: a cursor moves in the same commit as
// what its consumer made of the events it passed, so each event counts once, whatever crashes and
// however many programs read the log.

import { and, eq, sql } from "drizzle-orm";

import { type Reader, type Tx, WriteConflict } from "#platform/database/database.ts";
import { prepared, preparedLock, preparedWrite } from "#platform/database/prepared.ts";
import { logCursors } from "#platform/database/tables.ts";

const byConsumer = prepared<{ consumer: string }>()((db, at) =>
  db.select().from(logCursors).where(eq(logCursors.consumer, at.consumer)),
);
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

/** The sequence up to which the consumer has read; 0 where it has not begun. */
export async function findLogCursor(db: Reader, consumer: string): Promise<number> {
  return (await byConsumer(db, { consumer }))[0]?.sequence ?? 0;
}

/**
 * The same, and nobody else reads for the consumer until the transaction ends: whoever comes second
 * waits, and goes on from where the first one came to.
 */
export async function lockLogCursor(tx: Tx, consumer: string): Promise<number> {
  return (await toLock(tx, { consumer }))[0]?.sequence ?? 0;
}

/**
 * Afterwards the consumer has read up to `to`. Throws WriteConflict where it was not at `from`: somebody
 * else read the same events, and what this transaction made of them must not stay. Move it before
 * anything is written that depends on what was read before, for a consumer that begins holds nothing.
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

/**
 * Afterwards the consumer has read nothing, and reads the whole log again. Nobody reads for it until the
 * transaction ends, so what it made of the log is thrown away after this, not before.
 */
export async function forgetLogCursor(tx: Tx, consumer: string): Promise<void> {
  await reset(tx, { consumer });
}
