// Counts the next events of the log, or all of it again, and tells how far the log is counted.

import { CONSUMER } from "#analytics/figures.ts";
import type { Database, Reader, Tx } from "#platform/database/database.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import {
  findLogCursor,
  projectAnew,
  type Projection,
  projectNext,
} from "#platform/event-log/log-cursors.ts";
import type { Pace } from "#platform/scheduler/paced-work.ts";

import { readFact } from "./fact.ts";
import { recallMemory } from "./recall-memory.ts";
import { saveTally } from "./save-tally.ts";
import { Tally } from "./tally.ts";

/** Summaries do not depend on the background, because they catch up themselves: at most 2.5 % of the time is work. */
export const projectionPace: Pace = { collectMs: 250, busyFactor: 39, busyMs: 250 };

const sums: Projection = {
  consumer: CONSUMER,
  tables: [
    "analytics_buyers",
    "analytics_checkouts",
    "analytics_figures",
    "analytics_names",
    "analytics_parts",
    "analytics_purchases",
    "analytics_refunded",
    "analytics_scopes",
  ],
  eventsPerCommit: 250,
  add: async (tx, events) => {
    const facts = events.map(readFact).filter((fact) => fact !== null);
    const tally = new Tally(await recallMemory(tx, facts));
    for (const fact of facts) tally.add(fact);
    await saveTally(tx, tally);
  },
};

/** Counts the next events. Returns whether there may be more. */
export function projectEvents(tx: Tx): Promise<boolean> {
  return projectNext(tx, sums);
}

/** Empties the projection and counts the whole log. Returns the last counted sequence. */
export function rebuildAnalytics(database: Database): Promise<number> {
  return projectAnew(database, sums);
}

export interface ProjectionBacklog {
  /** The last counted sequence. */
  readonly sequence: number;
  /** The number of events after it. */
  readonly behind: number;
}

/** The cursor of the projection, and how far it is behind the log. */
export async function findProjectionBacklog(db: Reader): Promise<ProjectionBacklog> {
  const sequence = await findLogCursor(db, CONSUMER);
  return { sequence, behind: Math.max(0, (await lastSequence(db)) - sequence) };
}
