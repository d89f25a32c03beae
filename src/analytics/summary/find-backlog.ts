// Lookup: how far the log is counted, and how much of it is not yet.

import { CONSUMER } from "#analytics/figures.ts";
import type { Reader } from "#platform/database/database.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";

export interface Backlog {
  /** The sequence up to which all is counted. */
  readonly sequence: number;
  readonly behind: number;
}

/** Where the projection stands. */
export async function findBacklog(db: Reader): Promise<Backlog> {
  const sequence = await findLogCursor(db, CONSUMER);
  return { sequence, behind: Math.max(0, (await lastSequence(db)) - sequence) };
}
