// Counts the next events of the log, or all of it again.

import { CONSUMER } from "#analytics/figures.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import { projectAnew, type Projection, projectNext } from "#platform/event-log/log-cursors.ts";
import type { Pace } from "#platform/scheduler/paced-work.ts";

import { readFact } from "./fact.ts";
import { recallMemory } from "./recall-memory.ts";
import { saveTally } from "./save-tally.ts";
import { Tally } from "./tally.ts";

/** Summaries do not depend on the background, because they catch up themselves: at most 2.5 % of the time is work. */
export const projectionPace: Pace = { collectMs: 250, busyFactor: 39, busyMs: 250 };

export const salesProjection: Projection = {
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
  return projectNext(tx, salesProjection);
}

/** Empties the projection and counts the whole log. Returns the last counted sequence. */
export function rebuildAnalytics(database: Database): Promise<number> {
  return projectAnew(database, salesProjection);
}
