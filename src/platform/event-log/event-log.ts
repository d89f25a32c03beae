// Reads the event log in the order of commits, without gaps, by cursor. Invariant: a reader that
// sees an event also sees every earlier one. On SQLite a single writer numbers the events. On
// PostgreSQL each transaction numbers its own under a row lock that it keeps until its commit is
// visible.

import { and, asc, eq, gt, gte, inArray, lt, lte, max, min } from "drizzle-orm";

import { firstIdAt } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { contains } from "#platform/database/dialect.ts";
import { prepared, preparedByFilters } from "#platform/database/prepared.ts";
import { counters, events } from "#platform/database/tables.ts";

/** A committed event; `data` is the exact JSON text of the payload. */
export type LoggedEvent = typeof events.$inferSelect;

interface EventFilters {
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

const bySequence = prepared<{ sequence: number }>()((db, at) =>
  db
    .select({ id: events.id, createdAt: events.createdAt })
    .from(events)
    .where(eq(events.sequence, at.sequence)),
);

/** Committed events after a sequence, oldest first, at most `limit`. */
export function eventsAfter(db: Reader, filters: EventFilters): Promise<LoggedEvent[]> {
  return listEvents(db, filters);
}

/** The event with this id, if there is one. */
export async function findEvent(db: Reader, id: string): Promise<LoggedEvent | undefined> {
  return (await eventById(db, { id }))[0];
}

/** The id of the event with this sequence, if there is one. */
export async function findEventIdAt(db: Reader, sequence: number): Promise<string | undefined> {
  return (await bySequence(db, { sequence }))[0]?.id;
}

/** When the event with this sequence happened, epoch milliseconds, if there is one. */
export async function findEventTimeAt(db: Reader, sequence: number): Promise<number | undefined> {
  return (await bySequence(db, { sequence }))[0]?.createdAt;
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

/** The counter that keeps sequences from being reused after the log is emptied. */
export const SEQUENCE_FLOOR = "event_sequence";

/** The events with these ids, by id; deleted ones are missing. */
export async function findEvents(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoggedEvent>> {
  if (ids.length === 0) return new Map();
  return new Map((await eventsByIds(db, { id: ids })).map((event) => [event.id, event]));
}

/** The first sequence of the log, which changes when the log is emptied; 0 if it is empty. */
export async function findFirstSequence(db: Reader): Promise<number> {
  return (await leastSequence(db, {}))[0]?.first ?? 0;
}

/** The last sequence given to an event; 0 if there was none. */
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
/**
 * The earliest event at or after an instant may have a lower sequence than the first by id: it
 * began later and committed earlier. Ids carry the start of their story.
 */
const earliestFrom = prepared<{ id: string; after: number; until: number }>()((db, at) =>
  db
    .select({ sequence: min(events.sequence) })
    .from(events)
    .where(
      and(gt(events.sequence, at.after), lte(events.sequence, at.until), gte(events.id, at.id)),
    ),
);
/**
 * The latest event before an instant may have a higher sequence: it began earlier and committed
 * later.
 */
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
 * The most events that can commit during one story. Concurrent stories commit in another order than
 * they began in.
 */
const OVERLAP = 2_000;

/** The sequence before the first event that began at or after the instant, epoch milliseconds. */
export async function sequenceBefore(db: Reader, instant: number): Promise<number> {
  const id = firstIdAt("event", instant);
  const [first] = await firstFrom(db, { id });
  if (first === undefined) return lastSequence(db);
  const until = first.sequence;
  const [earliest] = await earliestFrom(db, { id, after: until - OVERLAP, until });
  return (earliest?.sequence ?? until) - 1;
}

/** The sequence of the last event that began before the instant, epoch milliseconds. */
export async function sequenceUntil(db: Reader, instant: number): Promise<number> {
  const id = firstIdAt("event", instant);
  const [first] = await firstFrom(db, { id });
  if (first === undefined) return lastSequence(db);
  const after = first.sequence - 1;
  const [latest] = await latestBefore(db, { id, after, until: after + OVERLAP });
  return latest?.sequence ?? after;
}

/** The ids of the events in a span of sequences whose payload contains the text. */
export async function eventsNaming(
  db: Reader,
  span: { readonly after: number; readonly until: number; readonly text: string },
): Promise<string[]> {
  return (await naming(db, span)).map(({ id }) => id);
}

// An act as the audit log is told of it. The log itself is a noun of the shop: the machinery knows only how an
// act is recorded.

/** Values of a record as the wire shows them, by field. */
export type Shown = Readonly<Record<string, unknown>>;

/** The changes of an act to its subject. */
export interface ChangedFields {
  /** The names of the fields that differ. */
  readonly fields: readonly string[];
  /** Their values before and after; null where values are not kept. */
  readonly before: Shown | null;
  readonly after: Shown | null;
}

/** One act; who did it is the transaction's actor. */
export interface Act {
  /** The name of the API key, the person or the user of the operating system; null if there is none. */
  readonly actorName: string | null;
  /** The operation id, or the words of the command. */
  readonly action: string;
  /** The id of the record that was acted on; null if the act is about none or about many. */
  readonly subject: string | null;
  readonly difference?: ChangedFields | null;
  readonly requestId?: string | null;
  /** The network of the client, such as 192.0.2.0/24. */
  readonly clientNetwork?: string | null;
}

/** Appends the act to the audit log, in the transaction of the change. */
export type RecordAct = (tx: Tx, act: Act) => Promise<void>;

declare global {
  interface JSON {
    /**
     * The reviver's third argument has the source text (ECMAScript, JSON.parse source text access).
     */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    /** JSON text that `stringify` prints unchanged (ECMAScript, JSON.rawJSON). */
    rawJSON(text: string): unknown;
    /** True if `rawJSON` made the value (ECMAScript, JSON.isRawJSON). */
    isRawJSON(value: unknown): boolean;
  }
}

/** Parses a stored text into a value that `JSON.stringify` prints unchanged: every number keeps its digits. */
export function thaw(text: string): unknown {
  return JSON.parse(text, (_key, value, context) =>
    typeof value === "number" && context.source !== undefined
      ? JSON.rawJSON(context.source)
      : value,
  );
}
