// The event envelope on the wire, identical in the feed and in webhooks.

import Type, { type Static } from "typebox";

import { type LoggedEvent, thaw } from "#platform/event-log/event-log.ts";
import { at, from, list, shape, wire } from "#platform/http/contract/wire.ts";
import {
  anyMembers,
  choice,
  idOf,
  line,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";
import { modeChoice } from "#shop/keys/schema.ts";

import { eventNames } from "./event.ts";
import type { Origin } from "./get-origin.ts";
import type { Feed, WaitRequest } from "./read-feed.ts";

/** Events per page. */
const FEED_SIZE_MAX = 100;
const FEED_SIZE_DEFAULT = 20;
/** Below the timeouts of common proxies and clients, which are a minute or more. */
const WAIT_SECONDS_MAX = 30;

/** An event with its origin, as one row. */
interface EventView extends LoggedEvent, Origin {}

/** The text of the log as it is, so every digit survives. */
const payload = {
  schema: anyMembers("The payload of the event."),
  present: thaw,
  write: (text: string) => text,
};

export const eventWire = wire<EventView>()("Event", {
  id: idOf("event"),
  event: from((event: EventView) => asEventName(event.name), choice(eventNames)),
  created_at: at,
  store_id: idOf("store"),
  mode: modeChoice,
  sequence: whole(1),
  data: payload,
});

function asEventName(name: string) {
  const known = eventNames.find((one) => one === name);
  if (known === undefined) throw new Error(`The log holds an event named ${name}.`);
  return known;
}

/** A page of the feed with the origin of its events. */
interface FeedView extends Feed {
  readonly origin: Origin;
}

export const feedShape = shape<FeedView>()({
  data: from(
    ({ events, origin }: FeedView) => events.map((event) => ({ ...event, ...origin })),
    list(eventWire),
  ),
  has_more: Type.Boolean(),
  next_after: whole(0, undefined, {
    description: "Pass this as `after` in the next request.",
  }),
  last_sequence: whole(0, undefined, {
    description:
      "The sequence of the newest event. Pass it as `after` to skip all existing events.",
  }),
});

export const feedQuerySchema = object({
  after: optional(
    whole(0, undefined, { default: 0, description: "Only events with a greater sequence." }),
  ),
  event: optional(
    Type.Array(line(64), {
      minItems: 1,
      maxItems: 20,
      description: "Event names or patterns such as `order.*`, comma-separated.",
    }),
  ),
  limit: optional(whole(1, FEED_SIZE_MAX, { default: FEED_SIZE_DEFAULT })),
  wait: optional(
    whole(0, WAIT_SECONDS_MAX, {
      default: 0,
      description: "Seconds to wait for an event if there is none yet.",
    }),
  ),
});

/** The feed request with its defaults. */
export function readFeedQuery(query: Static<typeof feedQuerySchema>): WaitRequest {
  return {
    after: query.after ?? 0,
    patterns: query.event,
    limit: query.limit ?? FEED_SIZE_DEFAULT,
    waitMs: (query.wait ?? 0) * 1000,
  };
}
