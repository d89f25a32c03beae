// The envelope on the wire, the same in the feed and in every webhook.

import Type, { type Static } from "typebox";

import { toIso } from "#kernel/time.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";
import { thaw } from "#platform/event-log/frozen-json.ts";
import {
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

/** Events in one answer of the feed. */
const FEED_SIZE_MAX = 100;
const FEED_SIZE_DEFAULT = 20;
/** Shorter than what proxies and clients wait for an answer, which is a minute and more. */
const WAIT_SECONDS_MAX = 30;

export const eventSchema = component("Event", {
  id: idOf("event"),
  event: choice(eventNames),
  created_at: instant,
  store_id: idOf("store"),
  mode: choice(["test", "live"]),
  sequence: whole(1),
  data: Type.Unsafe<unknown>({ type: "object", description: "What happened." }),
});

export const feedSchema = object({
  data: Type.Array(eventSchema),
  has_more: Type.Boolean(),
  next_after: whole(0, undefined, {
    description: "Ask with this as `after` for what comes next, now or later.",
  }),
  last_sequence: whole(0, undefined, {
    description: "Of the newest event there is. Ask with this as `after` for new ones alone.",
  }),
});

export const feedQuerySchema = object({
  after: optional(whole(0, undefined, { default: 0, description: "Only later sequences." })),
  event: optional(
    Type.Array(line(64), {
      minItems: 1,
      maxItems: 20,
      description: "Names, or patterns such as `order.*`; comma-separated.",
    }),
  ),
  limit: optional(whole(1, FEED_SIZE_MAX, { default: FEED_SIZE_DEFAULT })),
  wait: optional(
    whole(0, WAIT_SECONDS_MAX, {
      default: 0,
      description: "Seconds to wait where there is nothing yet: answered when something happens.",
    }),
  ),
});

/** An event as it is answered; `data` is printed exactly as it was announced. */
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

/** A piece of the feed as it is answered. */
export function presentFeed(feed: Feed, origin: Origin): Static<typeof feedSchema> {
  return {
    data: feed.events.map((event) => presentEvent(event, origin)),
    has_more: feed.hasMore,
    next_after: feed.nextAfter,
    last_sequence: feed.lastSequence,
  };
}

/** What was asked of the feed. */
export function readFeedQuery(query: Static<typeof feedQuerySchema>): WaitRequest {
  return {
    after: query.after ?? 0,
    patterns: query.event,
    limit: query.limit ?? FEED_SIZE_DEFAULT,
    waitMs: (query.wait ?? 0) * 1000,
  };
}
