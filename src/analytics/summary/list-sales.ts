// Workflow: the sales of a period point by point, without what a summary breaks them down into. It reads a few rows,
// however much was sold.

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";

import { blockRequests, openBlocks, type SummaryRequest } from "./blocks.ts";
import { sumSales } from "./queries.ts";
import type { Block } from "./read-block.ts";
import type { Summary } from "./summarize-sales.ts";

/** The points of each currency. */
export interface SalesSeries extends Pick<Summary, "period" | "channel" | "backlog"> {
  readonly blocks: readonly Pick<Block, "currency" | "series">[];
}

/**
 * The sales, with the points of each currency that ever had an event, zeros included. Refuses with `period_invalid`,
 * and with `analytics_behind` if counting takes too long.
 */
export async function listSales(
  shop: AnalyticsShop,
  request: Omit<SummaryRequest, "compare">,
): Promise<SalesSeries> {
  const terms = await openBlocks(shop, request);
  const { period, backlog } = terms;
  const blocks = await shop.database.readTogether(async (db) => {
    const found: Pick<Block, "currency" | "series">[] = [];
    for (const { currency, scope } of await blockRequests(db, terms)) {
      found.push({ currency, series: await sumSales(db, scope, period.points) });
    }
    return found;
  });
  return { period, channel: request.channel ?? null, backlog, blocks };
}
