// The bytes of an event as they leave the house. Invariant: the feed prints the very same ones, so
// that a signature made over them fits what is pulled later.

import { toIso } from "#kernel/time.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";

import type { Origin } from "./get-origin.ts";

/** The event as minified JSON; its data stands in it as it was frozen, digit for digit. */
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
