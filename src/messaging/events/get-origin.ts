// Lookup: the store and the mode that every event carries.

import type { Id } from "#kernel/id.ts";
import { toIso } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";
import { getStore } from "#shop/store/lookups.ts";

/** The origin of an event. */
export interface Origin {
  readonly storeId: Id<"store">;
  readonly mode: Mode;
}

/** The origin of all events in this database. */
export async function getOrigin(db: Reader, mode: Mode): Promise<Origin> {
  return { storeId: (await getStore(db)).id, mode };
}

// The bytes of an event as webhooks carry it. Invariant: the feed returns the same bytes, so a
// signature verifies against an event that is read from the feed later.

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
