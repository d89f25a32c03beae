// Reads the sums of a period: which currencies, which channels, and when the sums are up to date.

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import type { ProjectionBacklog } from "#analytics/projection/project-events.ts";
import { ALL_CHANNELS } from "#analytics/projection/recall-memory.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import { findEventTimeAt } from "#platform/event-log/event-log.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type Period, type PeriodRequest, readPeriod } from "./period.ts";
import { listScopes, type ScopeRow } from "./queries.ts";
import type { BlockRequest } from "./read-block.ts";

/** How long a request waits for uncounted events, milliseconds. */
const CATCH_UP_MS = 2_000;
const RETRY_AFTER_SECONDS = "2";

export interface SummaryRequest extends PeriodRequest {
  readonly currency?: CurrencyCode | undefined;
  readonly channel?: string | undefined;
}

export interface BlocksRequest extends Pick<SummaryRequest, "currency" | "channel"> {
  /** The shop's currency, for a shop without events. */
  readonly defaultCurrency: CurrencyCode;
  readonly period: Period;
}

/** The request once its events are counted. */
interface OpenBlocks extends BlocksRequest {
  readonly backlog: ProjectionBacklog;
}

export const analyticsBehind = defineRefusal("analytics_behind", "unavailable", {
  title: "The latest events are still being counted.",
  cause: "The summaries do not include the latest events yet.",
  remedy: "Retry after the number of seconds in `Retry-After`.",
  example: {
    detail: "5000 events are not counted yet. Counted up to 12 March 2026.",
    headers: { "Retry-After": "1" },
  },
});

/**
 * Opens the blocks that are asked for, once every event committed before is counted. Refuses with `period_invalid` and
 * `analytics_behind`.
 */
export async function openBlocks(
  shop: AnalyticsShop,
  request: SummaryRequest,
): Promise<OpenBlocks> {
  const store = await getStore(shop.database.read);
  const period = readPeriod(request, { now: shop.clock.now(), timezone: store.timezone });
  const backlog = await shop.catchUp.run(CATCH_UP_MS);
  if (backlog.behind > 0 && backlog.isWritable) {
    const countedAt = await findEventTimeAt(shop.database.read, backlog.sequence);
    throw stillCounting(backlog, { countedAt, timezone: store.timezone });
  }
  const { currency, channel } = request;
  return { currency, channel, defaultCurrency: store.currency, period, backlog };
}

/** The reads of each currency. */
export async function blockRequests(
  db: Reader,
  { currency, channel, defaultCurrency }: BlocksRequest,
): Promise<BlockRequest[]> {
  const scopes = await listScopes(db);
  return currenciesOf(scopes, currency ?? null, defaultCurrency).map((one) =>
    blockRequest(scopes, one, channel),
  );
}

interface CountedUntil {
  /** When the last counted event happened; undefined where none is. */
  readonly countedAt: number | undefined;
  readonly timezone: string;
}

function stillCounting({ behind }: ProjectionBacklog, { countedAt, timezone }: CountedUntil) {
  const until = countedAt === undefined ? "" : ` Counted up to ${dayOf(countedAt, timezone)}.`;
  return analyticsBehind({
    detail: `${behind} events are not counted yet.${until}`,
    headers: { "Retry-After": RETRY_AFTER_SECONDS },
  });
}

/** The day as the dashboard writes it, such as 12 March 2026. */
function dayOf(at: number, timeZone: string): string {
  const parts = { day: "numeric", month: "long", year: "numeric", timeZone } as const;
  return new Intl.DateTimeFormat("en-GB", parts).format(at);
}

function currenciesOf(
  scopes: readonly ScopeRow[],
  requested: CurrencyCode | null,
  defaultCurrency: CurrencyCode,
): CurrencyCode[] {
  if (requested !== null) return [requested];
  const known = [...new Set(scopes.map(({ currency }) => currency))];
  return known.length === 0 ? [defaultCurrency] : known;
}

/** The requested channel, or all channels together. */
function blockRequest(
  scopes: readonly ScopeRow[],
  currency: CurrencyCode,
  requested: string | undefined,
): BlockRequest {
  const own = scopes.filter((scope) => scope.currency === currency);
  const isIncluded = ({ channel }: ScopeRow) =>
    requested === undefined ? channel !== ALL_CHANNELS : channel === requested;
  const scope = own.find(({ channel }) => channel === (requested ?? ALL_CHANNELS));
  return { currency, scope: scope?.number ?? null, channels: own.filter(isIncluded) };
}
