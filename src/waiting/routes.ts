// The route of what waits for the merchant.

import { readRoute, type Route } from "#platform/http/contract/route.ts";

import { readWaiting } from "./read-waiting.ts";
import { waitingWire } from "./schema.ts";

export const waitingRoutes: readonly Route[] = [
  readRoute({
    method: "GET",
    path: "/v2/waiting",
    operationId: "retrieveWaiting",
    tag: "Waiting",
    summary: "Retrieve what waits for the merchant",
    description:
      "Counts at most 100 of each kind; `more` tells whether there are others. A part that the key may not read is null: payments, refunds and disputes need `payments:read`, stock `inventory:read`, carts `carts:read`, webhooks `webhooks:read`, and what limits refused `audit:read`.",
    scopes: ["orders:read"],
    response: waitingWire,
    handler: (db, { caller: { scopes }, now }) => readWaiting(db, { scopes, now }),
  }),
];
