// The routes of requests. They read the memory of the program that answers.

import { MINUTE_MS } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { PathParameter } from "#platform/http/contract/path.ts";
import { type Route, workflowRoute } from "#platform/http/contract/route.ts";
import type { RequestLog } from "#platform/http/server/request-log.ts";
import { listed, whole } from "#platform/http/server/shown-request.ts";
import { listEntries } from "#shop/entries/list-entries.ts";

import { forgettingOperations, requestNotFound } from "./request.ts";
import {
  readRequestsQuery,
  requestsQuerySchema,
  requestsShape,
  wholeRequestWire,
} from "./schema.ts";

// Workflow: what was sent of customers is dropped from memory once another program erased them.

/** More than the clocks of two machines differ by. */
const CLOCKS_DIFFER_MS = MINUTE_MS;

interface Remembering {
  readonly database: Database;
  readonly requests: { forget(until: number): void };
}

/** Drops from memory what other programs on the same database erased. Of its own erasures a program is told at once. */
async function forgetErased({ database, requests }: Remembering): Promise<void> {
  if (!database.isShared) return;
  for (const action of forgettingOperations) {
    const { rows } = await listEntries(database.read, { action }, { limit: 1, after: null });
    const last = rows[0];
    if (last !== undefined) requests.forget(last.createdAt + CLOCKS_DIFFER_MS);
  }
}

export interface RequestsShop extends Shop {
  readonly requests: RequestLog;
}

const PATTERN = "^[A-Za-z0-9_-]{1,64}$";
const shape = new RegExp(PATTERN);

const requestId: PathParameter<string> = {
  pattern: PATTERN,
  description: "The `X-Request-Id` of the response.",
  notFound: requestNotFound,
  accepts: (text): text is string => shape.test(text),
};

const terms = { method: "GET", tag: "Requests", scopes: ["keys:read"] } as const;

export const requestRoutes: readonly Route<RequestsShop>[] = [
  workflowRoute({
    ...terms,
    path: "/v2/requests",
    operationId: "listRequests",
    summary: "List the last requests, newest first",
    description:
      "The last 500 requests of the key's mode below `/v2`, and the last 50 without a valid key. They are kept in the memory of the program that answers: a restart empties the list, and of several programs on one database each has its own. Pages of the dashboard, and reading this list, are not in it.",
    query: requestsQuerySchema,
    response: requestsShape,
    handler: async (shop, { query, caller }) => {
      const { passes, limit } = readRequestsQuery(query);
      await forgetErased(shop);
      const found = shop.requests.newest(passes);
      return {
        requests: found.slice(0, limit).map((request) => listed(request, caller)),
        hasMore: found.length > limit,
      };
    },
  }),
  workflowRoute({
    ...terms,
    path: "/v2/requests/{request_id}",
    operationId: "retrieveRequest",
    summary: "Retrieve one of the last requests",
    description:
      "Of several with the same id, the newest that had a valid key. In test mode it has both bodies, if the caller has every scope of the key that sent it; erasing or deleting a customer removes the bodies of all requests so far.",
    params: { request_id: requestId },
    response: wholeRequestWire,
    handler: async (shop, { params: { request_id: id }, caller }) => {
      await forgetErased(shop);
      const found = shop.requests.newest((request) => request.requestId === id);
      const request = found.find(({ caller: sender }) => sender !== null) ?? found[0];
      if (request === undefined) throw requestNotFound();
      return whole(request, caller);
    },
  }),
];
