// The summary that a report shows.

import type { Static } from "typebox";

import { summarySchema } from "#analytics/summary/schema.ts";

import type { Visit } from "../visit.ts";
import { queryOf, type ReportPeriod } from "./report-period.ts";

export type Summary = Static<typeof summarySchema>;
/** The sales of one currency. */
export type Sales = Summary["currencies"][number];

/** The summary of the period beside the same time before. */
export function salesOf(visit: Visit, period: ReportPeriod): Promise<Summary> {
  return visit.ask({ schema: summarySchema }, "GET /v2/analytics/summary", {
    query: { ...queryOf(period), compare: "previous_period" },
  });
}

/** What a tax return asks for: the tax of the sales less that in the refunds, minor units. */
export function taxToReport({
  tax_minor: sold,
  refunded_minor: refunded,
}: Sales["taxes"][number]): number {
  return sold - refunded;
}
