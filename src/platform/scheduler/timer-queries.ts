// All SQL of timers. Invariant: updates and deletes of a timer that was read before are conditional
// on its due time, so a timer that was set again meanwhile is left alone.

import { and, asc, count, eq, inArray, lte, min, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { unindexed } from "#platform/database/dialect.ts";
import {
  type GivenFilters,
  prepared,
  preparedByFilters,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { timers } from "#platform/database/tables.ts";

export type TimerRow = typeof timers.$inferSelect;

/** A timer as it was read. */
export type SeenTimer = Pick<TimerRow, "name" | "subject" | "dueAt">;

const upsert = preparedWrite<SeenTimer>({ by: "subject", lockPlace: "timer" })((tx, at) =>
  tx
    .insert(timers)
    .values({ name: at.name, subject: at.subject, dueAt: at.dueAt, attempts: 0, lastError: null })
    .onConflictDoUpdate({
      target: [timers.name, timers.subject],
      set: { dueAt: sql`excluded.due_at`, attempts: 0, lastError: null },
    }),
);
const drop = preparedWrite<Omit<SeenTimer, "dueAt">>()((tx, at) =>
  tx.delete(timers).where(and(eq(timers.name, at.name), eq(timers.subject, at.subject))),
);
const dropSeen = preparedWrite<SeenTimer>()((tx, at) =>
  tx
    .delete(timers)
    .where(
      and(eq(timers.name, at.name), eq(timers.subject, at.subject), eq(timers.dueAt, at.dueAt)),
    )
    .returning({ subject: timers.subject }),
);
const moveSeen = preparedWrite<SeenTimer & { readonly until: number }>()((tx, at) =>
  tx
    .update(timers)
    .set({ dueAt: sql`${at.until}` })
    .where(
      and(eq(timers.name, at.name), eq(timers.subject, at.subject), eq(timers.dueAt, at.dueAt)),
    )
    .returning({ subject: timers.subject }),
);
const postponeSeen = preparedWrite<
  SeenTimer & { readonly until: number; readonly lastError: string }
>()((tx, at) =>
  tx
    .update(timers)
    .set({
      dueAt: sql`${at.until}`,
      attempts: sql`${timers.attempts} + 1`,
      lastError: sql`${at.lastError}`,
    })
    .where(
      and(eq(timers.name, at.name), eq(timers.subject, at.subject), eq(timers.dueAt, at.dueAt)),
    ),
);
interface DueFilters extends Partial<SeenTimer> {
  readonly names: readonly string[];
  readonly rows: number;
}

const firstDue = preparedByFilters<DueFilters>()((db, given) =>
  db
    .select()
    .from(timers)
    // Ordered by the index of due times: its first row almost always matches, so an index by name
    // would not help.
    .where(and(inArray(unindexed(timers.name), given.each("names")), isAfter(given)))
    .orderBy(asc(timers.dueAt), asc(timers.name), asc(timers.subject))
    .limit(given.one("rows")),
);
/** A shop may have a million timers, and monitoring asks several times a minute. */
const READ_FOR_STATUS = 1_000;
const COUNTED_MAX = 10_000;

const firstDueOfEach = prepared()((db) => {
  const first = db
    .select({ name: timers.name, dueAt: timers.dueAt })
    .from(timers)
    .orderBy(asc(timers.dueAt), asc(timers.name), asc(timers.subject))
    .limit(READ_FOR_STATUS)
    .as("first_due");
  return db
    .select({ name: first.name, dueAt: min(first.dueAt) })
    .from(first)
    .groupBy(first.name);
});
const firstOfName = prepared<{ name: string }>()((db, at) => {
  const some = db
    .select({ dueAt: timers.dueAt })
    .from(timers)
    .where(eq(timers.name, at.name))
    .limit(READ_FOR_STATUS)
    .as("some_timers");
  return db.select({ dueAt: min(some.dueAt) }).from(some);
});

/** Sets the timer's due time and clears its failed attempts. */
export async function putTimer(tx: Tx, timer: SeenTimer): Promise<void> {
  await upsert(tx, timer);
}

/** Deletes the timer, if it exists. */
export async function dropTimer(tx: Tx, name: string, subject: string): Promise<void> {
  await drop(tx, { name, subject });
}

/** Deletes the timer as it was read; false if it is gone or was set again. */
export async function takeTimer(tx: Tx, seen: SeenTimer): Promise<boolean> {
  return (await dropSeen(tx, seen)).length === 1;
}

/** Moves the timer as it was read to another time; false if it is gone or was set again. */
export async function moveTimer(tx: Tx, seen: SeenTimer, until: number): Promise<boolean> {
  return (await moveSeen(tx, { ...seen, until })).length === 1;
}

/** Records a failed attempt and the time of the next one, unless the timer was set again. */
export async function postponeTimer(
  tx: Tx,
  seen: SeenTimer,
  { until, lastError }: { readonly until: number; readonly lastError: string },
): Promise<void> {
  await postponeSeen(tx, { ...seen, until, lastError });
}

const pending = prepared<Omit<SeenTimer, "dueAt">>()((db, at) =>
  db
    .select({ dueAt: timers.dueAt })
    .from(timers)
    .where(and(eq(timers.name, at.name), eq(timers.subject, at.subject))),
);

/** When the timer is due; null if it is not set. */
export async function findDueTime(
  db: Reader,
  name: string,
  subject: string,
): Promise<number | null> {
  return (await pending(db, { name, subject }))[0]?.dueAt ?? null;
}

/** The timers with one of these names that are due first, starting after the given one. */
export function findFirstTimers(
  db: Reader,
  names: readonly string[],
  { after = null, rows }: { readonly after?: SeenTimer | null; readonly rows: number },
): Promise<TimerRow[]> {
  if (after === null) return firstDue(db, { names, rows });
  const { dueAt, name, subject } = after;
  return firstDue(db, { names, rows, dueAt, name, subject });
}

const overdue = prepared<{ now: number }>()((db, at) => {
  const some = db
    .select({ dueAt: timers.dueAt })
    .from(timers)
    .where(lte(timers.dueAt, at.now))
    .limit(COUNTED_MAX)
    .as("some_overdue");
  return db.select({ total: count() }).from(some);
});

/** The number of timers past their due time, up to 10,000. */
export async function countOverdue(db: Reader, now: number): Promise<number> {
  return (await overdue(db, { now }))[0]?.total ?? 0;
}

/**
 * The earliest due time per timer name. Of a name with more than 1,000 timers that are all due after 1,000 others, it is
 * that of some of them.
 */
export async function findFirstOfEach(
  db: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const first = new Map<string, number>();
  for (const { name, dueAt } of await firstDueOfEach(db, {})) {
    if (dueAt !== null) first.set(name, dueAt);
  }
  for (const name of names.filter((one) => !first.has(one))) {
    const dueAt = (await firstOfName(db, { name }))[0]?.dueAt ?? null;
    if (dueAt !== null) first.set(name, dueAt);
  }
  return first;
}

interface PageFilters extends Partial<SeenTimer> {
  readonly rows: number;
}

const upcoming = preparedByFilters<PageFilters>()((db, given) =>
  db
    .select()
    .from(timers)
    .where(isAfter(given))
    .orderBy(asc(timers.dueAt), asc(timers.name), asc(timers.subject))
    .limit(given.one("rows")),
);

/** Timers in the order of their due times, starting after the given one. */
export function findTimersAfter(
  db: Reader,
  after: SeenTimer | null,
  rows: number,
): Promise<TimerRow[]> {
  return upcoming(db, after === null ? { rows } : { ...after, rows });
}

/** The timers after the given one in the order of due times; all if none is given. */
function isAfter(given: GivenFilters<Partial<SeenTimer>>) {
  if (!given.has("dueAt")) return undefined;
  // As one row: conditions joined by OR would read all that is before it in the index.
  const place = sql`(${timers.dueAt}, ${timers.name}, ${timers.subject})`;
  return sql`${place} > (${given.one("dueAt")}, ${given.one("name")}, ${given.one("subject")})`;
}
