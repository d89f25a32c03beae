// The event envelope on the wire, identical in the feed and in webhooks.

import Type, { type Static } from "typebox";

import { toIso } from "#kernel/time.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";
import { thaw } from "#platform/event-log/frozen-json.ts";
import {
  anyMembers,
  choice,
  component,
  idOf,
  instant,
  line,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import { eventNames } from "./event.ts";
import type { Origin } from "./get-origin.ts";
import type { Feed } from "./read-feed.ts";
import type { WaitRequest } from "./wait-for-events.ts";

/** Events per page. */
const FEED_SIZE_MAX = 100;
const FEED_SIZE_DEFAULT = 20;
/** Below the timeouts of common proxies and clients, which are a minute or more. */
const WAIT_SECONDS_MAX = 30;

export const eventSchema = component("Event", {
  id: idOf("event"),
  event: choice(eventNames),
  created_at: instant,
  store_id: idOf("store"),
  mode: choice(["test", "live"]),
  sequence: whole(1),
  data: anyMembers("The payload of the event."),
});

export const feedSchema = object({
  data: Type.Array(eventSchema),
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

/** The event on the wire. `data` keeps the exact digits of the log. */
export function presentEvent(event: LoggedEvent, origin: Origin): Static<typeof eventSchema> {
  return {
    id: event.id,
    event: asEventName(event.name),
    created_at: toIso(event.createdAt),
    store_id: origin.storeId,
    mode: origin.mode,
    sequence: event.sequence,
    data: thaw(event.data),
  };
}

function asEventName(name: string) {
  const known = eventNames.find((one) => one === name);
  if (known === undefined) throw new Error(`The log holds an event named ${name}.`);
  return known;
}

/** A page of the feed on the wire. */
export function presentFeed(feed: Feed, origin: Origin): Static<typeof feedSchema> {
  return {
    data: feed.events.map((event) => presentEvent(event, origin)),
    has_more: feed.hasMore,
    next_after: feed.nextAfter,
    last_sequence: feed.lastSequence,
  };
}

/** The feed request with its defaults. */
export function readFeedQuery(query: Static<typeof feedQuerySchema>): WaitRequest {
  return {
    after: query.after ?? 0,
    patterns: query.event,
    limit: query.limit ?? FEED_SIZE_DEFAULT,
    waitMs: (query.wait ?? 0) * 1000,
  };
}
