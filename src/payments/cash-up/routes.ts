// The route of what came in on a day.

import { readRoute, type Route } from "#platform/http/contract/route.ts";

import { readCashUp } from "./read-cash-up.ts";
import { cashUpQuerySchema, cashUpWire } from "./schema.ts";

export const cashUpRoutes: readonly Route[] = [
  readRoute({
    method: "GET",
    path: "/v2/cash-up",
    operationId: "retrieveCashUp",
    tag: "Payments",
    summary: "Retrieve what came in on a day, by method and person",
    description:
      "Payments that succeeded on the day, and refunds of orders that ended on it, whatever became of them later: a payment that was corrected counts with what really came. Money that was sent back from review never counted, and refunds of payment links are not included.",
    scopes: ["payments:read"],
    query: cashUpQuerySchema,
    response: cashUpWire,
    handler: (db, { query, now }) => readCashUp(db, { day: query.day, now }),
  }),
];
