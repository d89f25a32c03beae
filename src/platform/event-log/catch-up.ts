// Brings a projection up to date before it is read. Invariant: concurrent callers share one write at a time, because
// one connection to the database is enough for all of them.

import { defineRefusal, isUnavailable, type Refusal } from "#kernel/refusal.ts";
import { monotonicMs, nextTurn } from "#kernel/time.ts";
import type { Database, Reader } from "#platform/database/database.ts";

import { findEventTimeAt, lastSequence } from "./event-log.ts";
import { findLogCursor, type Projection, projectNext } from "./log-cursors.ts";

/** How long a request waits for events, milliseconds. */
const CATCH_UP_MS = 2_000;
const RETRY_AFTER_SECONDS = "2";

export const analyticsBehind = defineRefusal("analytics_behind", "unavailable", {
  title: "The latest events are still being counted.",
  cause: "The summaries and the books do not include the latest events yet.",
  remedy: "Retry after the number of seconds in `Retry-After`.",
  example: {
    detail: "5000 events are not counted yet. Counted up to 12 March 2026.",
    headers: { "Retry-After": "1" },
  },
});

export interface LogBacklog {
  /** The last counted sequence. */
  readonly sequence: number;
  /** The number of events after it. */
  readonly behind: number;
}

export interface CaughtUp extends LogBacklog {
  /** True if a retry can succeed: false while the database accepts no writes. */
  readonly isWritable: boolean;
}

/** The cursor of a consumer, and how far it is behind the log. */
async function findLogBacklog(db: Reader, consumer: string): Promise<LogBacklog> {
  const sequence = await findLogCursor(db, consumer);
  return { sequence, behind: Math.max(0, (await lastSequence(db)) - sequence) };
}

export class CatchUp {
  readonly #database: Database;
  readonly #load: () => Promise<Projection>;
  /** The running write; its result says whether the database accepts writes. */
  #running: Promise<boolean> | null = null;

  /** Loads the projection with the first call: a start needs none. */
  constructor(database: Database, load: () => Promise<Projection>) {
    this.#database = database;
    this.#load = load;
  }

  /**
   * Counts every event that was committed before the call. Stops early after `withinMs`, or if the
   * database accepts no writes.
   */
  async run(withinMs = CATCH_UP_MS): Promise<CaughtUp> {
    const { read } = this.#database;
    const endsAtMs = monotonicMs() + withinMs;
    const projection = await this.#load();
    const start = await findLogBacklog(read, projection.consumer);
    const target = start.sequence + start.behind;
    let { sequence } = start;
    let isWritable = true;
    while (isWritable && sequence < target && monotonicMs() < endsAtMs) {
      await nextTurn();
      this.#running ??= this.#project(projection).finally(() => (this.#running = null));
      isWritable = await this.#running;
      sequence = await findLogCursor(read, projection.consumer);
    }
    return { sequence, behind: Math.max(0, target - sequence), isWritable };
  }

  async #project(projection: Projection): Promise<boolean> {
    try {
      await this.#database.write((tx) => projectNext(tx, projection));
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      throw error;
    }
  }
}

/** The refusal of a request that waited for its events in vain, with the day up to which they are counted. */
export async function stillCounting(
  db: Reader,
  { sequence, behind }: LogBacklog,
  timezone: string,
): Promise<Refusal> {
  const countedAt = await findEventTimeAt(db, sequence);
  const until = countedAt === undefined ? "" : ` Counted up to ${dayOf(countedAt, timezone)}.`;
  return analyticsBehind({
    detail: `${behind} events are not counted yet.${until}`,
    headers: { "Retry-After": RETRY_AFTER_SECONDS },
  });
}

/** The day as the dashboard writes it, such as 12 March 2026. */
function dayOf(at: number, timeZone: string): string {
  const parts = { day: "numeric", month: "long", year: "numeric", timeZone } as const;
  return new Intl.DateTimeFormat("en-GB", parts).format(at);
}
