// Workflow: rebuild the projection from the whole log. It may run beside a serving program: each batch
// is a short write, and summaries refuse with `analytics_behind` meanwhile.

import { CONSUMER } from "#analytics/figures.ts";
import { findProjectionBacklog } from "#analytics/summary/find-projection-backlog.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import { forgetLogCursor } from "#platform/event-log/log-cursors.ts";
import { emptyTables } from "#platform/event-log/reset.ts";

import { projectEvents } from "./project-events.ts";

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
