// A shop that can summarize its sales.

import type { Shop } from "#platform/database/shop.ts";

import type { CatchUp } from "./projection/catch-up.ts";
import type { SummaryCaches } from "./summary/summary-caches.ts";

export interface AnalyticsShop extends Shop {
  readonly catchUp: CatchUp;
  readonly summaryCaches: SummaryCaches;
}
