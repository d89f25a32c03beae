// The event log as it is read: in the order of commits, without gaps, by cursor.

import { and, asc, eq, gt, inArray } from "drizzle-orm";

import { prepared, preparedByFilters } from "./prepared.ts";
import type { Reader } from "./store.ts";
import { events } from "./tables.ts";

/** One committed fact; `data` is the payload's exact JSON text. */
export type LoggedEvent = typeof events.$inferSelect;

export interface EventFilters {
  /** Only events after this sequence. */
  readonly after: number;
  readonly limit: number;
  readonly name?: readonly string[] | undefined;
  readonly subject?: string | undefined;
}

const listEvents = preparedByFilters<EventFilters>()((db, given) =>
  db
    .select()
    .from(events)
    .where(
      and(
        gt(events.sequence, given.one("after")),
        given.has("name") ? inArray(events.name, given.each("name")) : undefined,
        given.has("subject") ? eq(events.subject, given.one("subject")) : undefined,
      ),
    )
    .orderBy(asc(events.sequence))
    .limit(given.one("limit")),
);

const eventById = prepared<{ id: string }>()((db, at) =>
  db.select().from(events).where(eq(events.id, at.id)),
);

/** Committed events after a sequence, oldest first, at most `limit`. */
export function eventsAfter(db: Reader, filters: EventFilters): Promise<LoggedEvent[]> {
  return listEvents(db, filters);
}

/** The event with this id, if there is one. */
export async function findEvent(db: Reader, id: string): Promise<LoggedEvent | undefined> {
  return (await eventById(db, { id }))[0];
}
