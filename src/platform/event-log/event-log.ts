// The event log as it is read: in the order of commits, without gaps, by cursor. Invariant: whoever sees
// an event sees all before it. On SQLite one writer numbers them; on PostgreSQL a transaction numbers its
// own under the lock of one row, which it keeps until its commit is seen: the next number is given after.

import { and, asc, eq, gt, gte, inArray, lt, lte, max, min } from "drizzle-orm";

import { firstIdAt } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { contains } from "#platform/database/dialect.ts";
import { prepared, preparedByFilters } from "#platform/database/prepared.ts";
import { counters, events } from "#platform/database/tables.ts";

/** One committed fact; `data` is the payload's exact JSON text. */
export type LoggedEvent = typeof events.$inferSelect;

export interface EventFilters {
  /** Only events after this sequence. */
  readonly after: number;
  readonly limit: number;
  /** Only events up to this sequence. */
  readonly until?: number | undefined;
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
        given.has("until") ? lte(events.sequence, given.one("until")) : undefined,
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

const eventsByIds = preparedByFilters<{ readonly id: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(events)
    .where(inArray(events.id, given.each("id"))),
);
const leastSequence = prepared()((db) => db.select({ first: min(events.sequence) }).from(events));
const greatestSequence = prepared()((db) => db.select({ last: max(events.sequence) }).from(events));
const floor = prepared()((db) =>
  db.select({ value: counters.value }).from(counters).where(eq(counters.name, SEQUENCE_FLOOR)),
);

/** The counter that keeps the log's sequence from falling when the log is emptied. */
export const SEQUENCE_FLOOR = "event_sequence";

/** The events with these ids, by id; those that are gone are missing. */
export async function findEvents(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoggedEvent>> {
  if (ids.length === 0) return new Map();
  return new Map((await eventsByIds(db, { id: ids })).map((event) => [event.id, event]));
}

/** The sequence with which the log begins, another one after it was emptied; 0 where it is empty. */
export async function findFirstSequence(db: Reader): Promise<number> {
  return (await leastSequence(db, {}))[0]?.first ?? 0;
}

/** The sequence that was given last; 0 in a shop where nothing happened yet. */
export async function lastSequence(db: Reader): Promise<number> {
  const [event] = await greatestSequence(db, {});
  const [kept] = await floor(db, {});
  return Math.max(event?.last ?? 0, kept?.value ?? 0);
}

const firstFrom = prepared<{ id: string }>()((db, at) =>
  db
    .select({ sequence: events.sequence })
    .from(events)
    .where(gte(events.id, at.id))
    .orderBy(asc(events.id))
    .limit(1),
);
/** What committed earlier but began later; ids carry when a story began. */
const earliestFrom = prepared<{ id: string; after: number; until: number }>()((db, at) =>
  db
    .select({ sequence: min(events.sequence) })
    .from(events)
    .where(
      and(gt(events.sequence, at.after), lte(events.sequence, at.until), gte(events.id, at.id)),
    ),
);
/** What committed later but began earlier. */
const latestBefore = prepared<{ id: string; after: number; until: number }>()((db, at) =>
  db
    .select({ sequence: max(events.sequence) })
    .from(events)
    .where(
      and(gt(events.sequence, at.after), lte(events.sequence, at.until), lt(events.id, at.id)),
    ),
);
const naming = prepared<{ after: number; until: number; text: string }>()((db, at) =>
  db
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        gt(events.sequence, at.after),
        lte(events.sequence, at.until),
        contains(events.data, at.text),
      ),
    ),
);

/**
 * How many events may have been committed while one story ran: stories that run beside each other are
 * not committed in the order in which they began.
 */
const OVERLAP = 2_000;

/** The sequence after which everything lies that began at an instant or later, epoch milliseconds. */
export async function sequenceBefore(db: Reader, instant: number): Promise<number> {
  const id = firstIdAt("event", instant);
  const [first] = await firstFrom(db, { id });
  if (first === undefined) return lastSequence(db);
  const until = first.sequence;
  const [earliest] = await earliestFrom(db, { id, after: until - OVERLAP, until });
  return (earliest?.sequence ?? until) - 1;
}

/** The sequence up to which everything lies that began before an instant, epoch milliseconds. */
export async function sequenceUntil(db: Reader, instant: number): Promise<number> {
  const id = firstIdAt("event", instant);
  const [first] = await firstFrom(db, { id });
  if (first === undefined) return lastSequence(db);
  const after = first.sequence - 1;
  const [latest] = await latestBefore(db, { id, after, until: after + OVERLAP });
  return latest?.sequence ?? after;
}

/** The ids of events of a span of sequences whose payload names something. */
export async function eventsNaming(
  db: Reader,
  span: { readonly after: number; readonly until: number; readonly text: string },
): Promise<string[]> {
  return (await naming(db, span)).map(({ id }) => id);
}
