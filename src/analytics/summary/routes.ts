// The routes of analytics.

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import { analyticsBehind } from "#platform/event-log/catch-up.ts";
import { type Route, workflowRoute } from "#platform/http/contract/route.ts";

import { periodInvalid } from "./period.ts";
import { presentSeries, presentSummary } from "./present-schema.ts";
import { seriesQuerySchema, seriesSchema, summaryQuerySchema, summarySchema } from "./schema.ts";
import { listSales, summarizeSales } from "./summarize-sales.ts";

export const analyticsRoutes: readonly Route<AnalyticsShop>[] = [
  workflowRoute({
    method: "GET",
    path: "/v2/analytics/summary",
    operationId: "retrieveAnalyticsSummary",
    tag: "Analytics",
    summary: "Retrieve the sales summary of a period",
    description:
      "Returns one block per currency; currencies are never mixed. Sales count on the day of their payment " +
      "(`paid_at`), refunds on the day of the refund, everything else when it occurs. `gross` is price times " +
      "quantity of paid orders, `net = gross - discounts - refunds`, `total = net + shipping + tax`, and the " +
      "average order value is `net` divided by paid orders. Refunds include only money from sales: returned " +
      "money that was never owed (paid twice, too much or too late) does not count. Figures by product, variant " +
      "and payment method are of sales; those by product and variant are before refunds, and without line items that have no variant. A new customer paid for the first " +
      "time in this currency, and in the channel if `channel` is set; each customer counts once. " +
      "`carts.started` counts checkouts, and prepaid orders without an earlier checkout. After an hour without " +
      "completion or payment they count as `abandoned`, and as `recovered` once they are completed or paid. " +
      "`success_rate` is of finished attempts. The default period is the last 30 days, today included. The " +
      "previous period has the same number of months, days or hours. All events committed before the request " +
      "are counted.",
    scopes: ["analytics:read"],
    query: summaryQuerySchema,
    response: summarySchema,
    refusals: [periodInvalid, analyticsBehind],
    handler: async (shop, { query }) => presentSummary(await summarizeSales(shop, query)),
  }),
  workflowRoute({
    method: "GET",
    path: "/v2/analytics/series",
    operationId: "retrieveSalesSeries",
    tag: "Analytics",
    summary: "Retrieve the sales of a period by hour, day, week or month",
    description:
      "The `series` of the summary of the same period, without its other parts: for a chart that is drawn often. The first and the last point may be partial.",
    scopes: ["analytics:read"],
    query: seriesQuerySchema,
    response: seriesSchema,
    refusals: [periodInvalid, analyticsBehind],
    handler: async (shop, { query }) => presentSeries(await listSales(shop, query)),
  }),
];
