// Counts the next events of the log, or all of it again. Invariant: sums and cursor change in one commit, so each event
// counts once, even after a crash. The cursor is locked first, so programs count in turn.

import { CONSUMER } from "#analytics/figures.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import { eventsAfter, lastSequence } from "#platform/event-log/event-log.ts";
import { forgetLogCursor, lockLogCursor, moveLogCursor } from "#platform/event-log/log-cursors.ts";
import { emptyTables } from "#platform/event-log/reset.ts";
import type { Pace } from "#platform/scheduler/paced-work.ts";

import { readFact } from "./fact.ts";
import { findProjectionBacklog } from "./find-projection-backlog.ts";
import { recallMemory } from "./recall-memory.ts";
import { saveTally } from "./save-tally.ts";
import { Tally } from "./tally.ts";

/** Events per commit: about 3 ms, the longest that a request waits behind it. */
const EVENTS_PER_COMMIT = 250;

/** Summaries do not depend on the background, because they catch up themselves: at most 2.5 % of the time is work. */
export const projectionPace: Pace = { collectMs: 250, busyFactor: 39, busyMs: 250 };

/** Counts the next events. Returns whether there may be more. */
export async function projectEvents(tx: Tx): Promise<boolean> {
  const from = await lockLogCursor(tx, CONSUMER);
  // Read before the events: the cursor must not pass events that are committed in between.
  const last = await lastSequence(tx);
  const found = await eventsAfter(tx, { after: from, limit: EVENTS_PER_COMMIT });
  // After a reset the log is empty but its sequence continues.
  const to = found.at(-1)?.sequence ?? last;
  if (to === from) return false;
  await moveLogCursor(tx, CONSUMER, { from, to });
  const facts = found.map(readFact).filter((fact) => fact !== null);
  const tally = new Tally(await recallMemory(tx, facts));
  for (const fact of facts) tally.add(fact);
  await saveTally(tx, tally);
  return found.length === EVENTS_PER_COMMIT;
}

const tables: readonly string[] = [
  "analytics_buyers",
  "analytics_checkouts",
  "analytics_figures",
  "analytics_names",
  "analytics_parts",
  "analytics_purchases",
  "analytics_refunded",
  "analytics_scopes",
];

/** Empties the projection and counts the whole log. Returns the last counted sequence. */
export async function rebuildAnalytics(database: Database): Promise<number> {
  await database.write(async (tx) => {
    await forgetLogCursor(tx, CONSUMER);
    await emptyTables(tx, tables);
  });
  while ((await findProjectionBacklog(database.read)).behind > 0) {
    await nextTurn();
    await database.write(projectEvents);
  }
  return (await findProjectionBacklog(database.read)).sequence;
}
