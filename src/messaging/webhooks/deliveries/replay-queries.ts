// All SQL of running replays.

import { and, asc, eq, inArray, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import { type Reader, type Tx, WriteConflict } from "#platform/database/database.ts";
import { literal } from "#platform/database/dialect.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";

import { deliveries, type ReplayRow, replays } from "./tables.ts";

export type Replay = ReplayRow;

export const insertReplay = preparedInsert(replays);

const replayOf = prepared<{ endpointId: string }>()((db, at) =>
  db.select().from(replays).where(eq(replays.endpointId, at.endpointId)),
);
const replayToLock = preparedLock<{ endpointId: string }>()((db, at) =>
  db.select().from(replays).where(eq(replays.endpointId, at.endpointId)),
);
const allReplays = prepared()((db) =>
  db.select().from(replays).orderBy(asc(replays.createdAt), asc(replays.endpointId)),
);
const moveReplay = preparedWrite<{ endpointId: string; from: number; to: number }>()((tx, at) =>
  tx
    .update(replays)
    .set({ after: sql`${at.to}` })
    .where(and(eq(replays.endpointId, at.endpointId), eq(replays.after, at.from)))
    .returning({ endpointId: replays.endpointId }),
);
const dropReplay = preparedWrite<{ endpointId: string }>()((tx, at) =>
  tx.delete(replays).where(eq(replays.endpointId, at.endpointId)),
);

export async function findReplay(db: Reader, endpointId: Id<"webhook">) {
  return (await replayOf(db, { endpointId }))[0] ?? null;
}

/** Locks the replay until the transaction ends. */
export async function lockReplay(tx: Tx, endpointId: Id<"webhook">): Promise<Replay | null> {
  return (await replayToLock(tx, { endpointId }))[0] ?? null;
}

/** Running replays, oldest first. */
export function listReplays(db: Reader): Promise<Replay[]> {
  return allReplays(db, {});
}

/** Throws `WriteConflict` if the replay advanced since it was read. */
export async function advanceReplayRow(tx: Tx, replay: Replay, to: number): Promise<void> {
  const { endpointId, after: from } = replay;
  const moved = await moveReplay(tx, { endpointId, from, to });
  if (moved.length !== 1) throw new WriteConflict("The replay");
}

export async function deleteReplay(tx: Tx, endpointId: Id<"webhook">): Promise<void> {
  await dropReplay(tx, { endpointId });
}

const statusesOf = preparedByFilters<{
  readonly endpointId: string;
  readonly eventId: readonly string[];
}>()((db, given) =>
  db
    .select({ eventId: deliveries.eventId, status: deliveries.status })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.endpointId, given.one("endpointId")),
        inArray(deliveries.eventId, given.each("eventId")),
      ),
    ),
);

/** The status of each delivery of these events to the endpoint. */
export async function findStatusesOf(
  db: Reader,
  endpointId: Id<"webhook">,
  eventIds: readonly string[],
) {
  return eventIds.length === 0 ? [] : statusesOf(db, { endpointId, eventId: eventIds });
}

const pendingCount = prepared<{ endpointId: string; rows: number }>()((db, at) =>
  db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.status, sql`'pending'`),
        eq(deliveries.endpointId, at.endpointId),
        eq(deliveries.isReplay, literal(true)),
      ),
    )
    .limit(at.rows),
);

/** How many replayed deliveries are pending for an endpoint, counted up to `most`. */
export async function countPendingReplayed(db: Reader, endpointId: Id<"webhook">, most: number) {
  return (await pendingCount(db, { endpointId, rows: most })).length;
}
