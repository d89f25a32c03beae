// The event log as it is read: in the order of commits, without gaps, by cursor.

import { and, asc, eq, gt, gte, inArray, lte, max, sql } from "drizzle-orm";

import { firstIdAt } from "#kernel/id.ts";

import { prepared, preparedByFilters } from "./prepared.ts";
import type { Reader } from "./store.ts";
import { counters, events } from "./tables.ts";

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

/** What the sequence was when the log was last emptied; 0 where it never was. */
export async function findSequenceFloor(db: Reader): Promise<number> {
  return (await floor(db, {}))[0]?.value ?? 0;
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
const naming = prepared<{ after: number; until: number; text: string }>()((db, at) =>
  db
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        gt(events.sequence, at.after),
        lte(events.sequence, at.until),
        sql`instr(${events.data}, ${at.text}) > 0`,
      ),
    ),
);

/** The last sequence that was given before an instant, epoch milliseconds. */
export async function sequenceBefore(db: Reader, instant: number): Promise<number> {
  const [first] = await firstFrom(db, { id: firstIdAt("event", instant) });
  return first === undefined ? lastSequence(db) : first.sequence - 1;
}

/** The ids of events of a span of sequences whose payload names something. */
export async function eventsNaming(
  db: Reader,
  span: { readonly after: number; readonly until: number; readonly text: string },
): Promise<string[]> {
  return (await naming(db, span)).map(({ id }) => id);
}
