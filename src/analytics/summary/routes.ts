// The routes of analytics.

import { type Route, workflowRoute } from "#platform/http/contract/route.ts";

import { periodInvalid } from "./period.ts";
import { presentSummary } from "./present-schema.ts";
import { summaryQuerySchema, summarySchema } from "./schema.ts";
import { analyticsBehind, summarizeSales } from "./summarize-sales.ts";

export const analyticsRoutes: readonly Route[] = [
  workflowRoute({
    method: "GET",
    path: "/v2/analytics/summary",
    tag: "Analytics",
    summary: "Read how the shop did in a period",
    description:
      "One block per currency, never mixed. Sales count on the day they were paid (`paid_at`), refunds on the " +
      "day the money went back, everything else when it happened. `gross` is price times quantity of paid " +
      "orders; `net = gross - discounts - refunds`; `total = net + shipping + tax`; the average order is `net` " +
      "by paid orders. A refund is what went back of a sale: money that was never owed (paid twice, too much or " +
      "too late) is none. Products, variants and payment methods are those of sales; the first two before " +
      "refunds. A new customer paid for the first time in this currency, and in this channel where one is " +
      "asked for; each customer counts once. `carts.started` are checkouts, and prepaid orders that were " +
      "no cart in checkout before; one of an hour ago that nobody completed or paid is `abandoned`; what came " +
      "back of those is `recovered`. `success_rate` is of the attempts that ended. Without `from` and `to` it is " +
      "the last 30 days, today included; the previous period is as many months, days or hours. Everything " +
      "committed before the request is counted.",
    scopes: ["analytics:read"],
    query: summaryQuerySchema,
    response: summarySchema,
    refusals: [periodInvalid, analyticsBehind],
    handler: async (shop, { query }) => presentSummary(await summarizeSales(shop, query)),
  }),
];
