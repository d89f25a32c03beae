// Reads the sums of a period: which currencies, which channels, and when the sums are up to date.

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import { ALL_CHANNELS } from "#analytics/projection/recall-memory.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/database/database.ts";
import { type LogBacklog, stillCounting } from "#platform/event-log/catch-up.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type Period, type PeriodRequest, readPeriod } from "./period.ts";
import { listScopes, type ScopeRow } from "./queries.ts";
import type { BlockRequest } from "./read-block.ts";

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
  readonly backlog: LogBacklog;
}

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
  const backlog = await shop.catchUp.run();
  if (backlog.behind > 0 && backlog.isWritable) {
    throw await stillCounting(shop.database.read, backlog, store.timezone);
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
