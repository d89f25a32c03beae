// Lookup: one event.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { findEvent, type LoggedEvent } from "#platform/event-log/event-log.ts";

import { eventNotFound } from "./event.ts";

/** The event with this id. Refuses with `event_not_found`. */
export async function getEvent(db: Reader, id: Id<"event">): Promise<LoggedEvent> {
  const event = await findEvent(db, id);
  if (event === undefined) throw eventNotFound();
  return event;
}
