// A shop that can summarize its sales.

import type { Database } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { CatchUp } from "#platform/event-log/catch-up.ts";

import { SummaryCaches } from "./summary/summary-caches.ts";

interface Summaries {
  readonly catchUp: CatchUp;
  readonly summaryCaches: SummaryCaches;
}

export interface AnalyticsShop extends Shop, Summaries {}

const loadSums = async () => (await import("./projection/project-events.ts")).salesProjection;

/** The memory of the summaries beside their database. */
export function openAnalytics(database: Database): Summaries {
  return { catchUp: new CatchUp(database, loadSums), summaryCaches: new SummaryCaches() };
}
