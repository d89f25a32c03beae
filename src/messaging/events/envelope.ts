// The bytes of an event as webhooks carry it. Invariant: the feed returns the same bytes, so a
// signature verifies against an event that is read from the feed later.

import { toIso } from "#kernel/time.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";

import type { Origin } from "./get-origin.ts";

/** The event as minified JSON. Its data is copied from the log unparsed, so every digit survives. */
export function envelopeText(event: LoggedEvent, origin: Origin): string {
  const head = JSON.stringify({
    id: event.id,
    event: event.name,
    created_at: toIso(event.createdAt),
    store_id: origin.storeId,
    mode: origin.mode,
    sequence: event.sequence,
  });
  return `${head.slice(0, -1)},"data":${event.data}}`;
}
