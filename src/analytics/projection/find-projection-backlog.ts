// Lookup: the position of the projection in the log.

import { CONSUMER } from "#analytics/figures.ts";
import type { Reader } from "#platform/database/database.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";

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
