// Lookup: since when a shop that was just opened may have been off, or what its database, which may be a backup, lacks.

import { DAY_MS } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter, lastSequence } from "#platform/event-log/event-log.ts";

/** The shop's clock and that of a gateway are at most so far apart, milliseconds. */
const MARGIN_MS = DAY_MS;

/** The time of the last event, and a little earlier; null where there is none. Epoch milliseconds. */
export async function findOffSince(db: Reader): Promise<number | null> {
  const last = await lastSequence(db);
  const [event] = await eventsAfter(db, { after: last - 1, limit: 1 });
  return event === undefined ? null : event.createdAt - MARGIN_MS;
}
