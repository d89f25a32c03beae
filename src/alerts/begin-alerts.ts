// Story: at a start and after a reset, the shop tells what happens from now on, or from where it stopped.

import type { Tx } from "#platform/database/database.ts";

import { beginNews } from "./follow-news.ts";
import { planSummary } from "./summary.ts";

/** Begins the log of news, and sets the timer of the day's summary. */
export async function beginAlerts(tx: Tx): Promise<void> {
  await beginNews(tx);
  await planSummary(tx);
}
