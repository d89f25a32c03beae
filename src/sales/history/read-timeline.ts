// Lookup: the events of an order, oldest first.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { nameActors, type WithNamedActor } from "#shop/keys/lookups.ts";

export interface TimelineRequest {
  readonly after: number;
  readonly limit: number;
}

export interface Timeline {
  readonly events: readonly WithNamedActor<LoggedEvent>[];
  readonly hasMore: boolean;
  /** The sequence to continue after. */
  readonly nextAfter: number;
}

/** Returns a page of the order's events. Refuses with `order_not_found`. */
export async function readTimeline(
  db: Reader,
  id: Id<"order">,
  { after, limit }: TimelineRequest,
): Promise<Timeline> {
  await getOrder(db, id);
  const found = await eventsAfter(db, { after, limit: limit + 1, subject: id });
  const events = found.slice(0, limit);
  return {
    events: await nameActors(db, events),
    hasMore: found.length > limit,
    nextAfter: events.at(-1)?.sequence ?? after,
  };
}
