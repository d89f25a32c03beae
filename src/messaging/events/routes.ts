// The routes of the event feed.

import { pathId } from "#platform/http/contract/path.ts";
import { readRoute, type Route, workflowRoute } from "#platform/http/contract/route.ts";

import { eventNotFound, eventNotKnown } from "./event.ts";
import { getOrigin } from "./get-origin.ts";
import { getEvent, waitForEvents } from "./read-feed.ts";
import { eventWire, feedQuerySchema, feedShape, readFeedQuery } from "./schema.ts";

export const eventRoutes: readonly Route[] = [
  workflowRoute({
    method: "GET",
    path: "/v2/events",
    operationId: "listEvents",
    tag: "Events",
    summary: "List events, oldest first",
    description:
      "Returns the events after a sequence. Store `next_after` and pass it as `after` in the next request to receive every event exactly once, however long ago the last request was. A request with `event` looks at 20,000 events of all names at most, so its page can be short, or empty, while `has_more` is true: go on after `next_after`. With `wait`, a request without results stays open until an event occurs.",
    scopes: ["events:read"],
    query: feedQuerySchema,
    response: feedShape,
    refusals: [eventNotKnown],
    handler: async (shop, { query }) => {
      const feed = await waitForEvents(shop, readFeedQuery(query));
      return { ...feed, origin: await getOrigin(shop.database.read, shop.mode) };
    },
  }),
  readRoute({
    method: "GET",
    path: "/v2/events/{id}",
    operationId: "retrieveEvent",
    tag: "Events",
    summary: "Retrieve an event",
    scopes: ["events:read"],
    params: { id: pathId("event", eventNotFound) },
    response: eventWire,
    refusals: [eventNotFound],
    handler: async (db, { params, caller }) => ({
      ...(await getEvent(db, params.id)),
      ...(await getOrigin(db, caller.mode)),
    }),
  }),
];
