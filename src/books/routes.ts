// The routes of the books.

import { analyticsBehind } from "#platform/event-log/catch-up.ts";
import { type Route, workflowRoute } from "#platform/http/contract/route.ts";

import type { BooksShop } from "./books-shop.ts";
import { readCashUp } from "./read-cash-up.ts";
import { cashUpQuerySchema, cashUpWire } from "./schema.ts";

export const bookRoutes: readonly Route<BooksShop>[] = [
  workflowRoute({
    method: "GET",
    path: "/v2/cash-up",
    operationId: "retrieveCashUp",
    tag: "Payments",
    summary: "Retrieve what came in on a day, by method and person",
    description:
      "Payments that succeeded on the day, those by hand on the day on which the money came where one was told; what corrections changed; and refunds that ended on it. What happens later counts on its own day, so a day that is over changes only by money that is recorded for it afterwards. Money that was sent back from review never counted.",
    scopes: ["payments:read"],
    query: cashUpQuerySchema,
    response: cashUpWire,
    refusals: [analyticsBehind],
    handler: (shop, { query, now }) => readCashUp(shop, { day: query.day, now }),
  }),
];
