// The routes of the event feed.

import { pathId } from "#platform/http/path.ts";
import { readRoute, type Route } from "#platform/http/route.ts";

import { eventNotFound, eventNotKnown } from "./event.ts";
import { findOrigin } from "./find-origin.ts";
import { getEvent } from "./get-event.ts";
import { readFeed } from "./read-feed.ts";
import {
  eventSchema,
  feedQuerySchema,
  feedSchema,
  presentEvent,
  presentFeed,
  readFeedQuery,
} from "./schema.ts";

export const eventRoutes: readonly Route[] = [
  readRoute({
    method: "GET",
    path: "/v2/events",
    tag: "Events",
    summary: "Read the feed of events, oldest first",
    scopes: ["events:read"],
    query: feedQuerySchema,
    response: feedSchema,
    refusals: [eventNotKnown],
    handler: async (db, { query, caller }) =>
      presentFeed(await readFeed(db, readFeedQuery(query)), await findOrigin(db, caller.mode)),
  }),
  readRoute({
    method: "GET",
    path: "/v2/events/{id}",
    tag: "Events",
    summary: "Read one event",
    scopes: ["events:read"],
    params: { id: pathId("event", eventNotFound) },
    response: eventSchema,
    refusals: [eventNotFound],
    handler: async (db, { params, caller }) =>
      presentEvent(await getEvent(db, params.id), await findOrigin(db, caller.mode)),
  }),
];
