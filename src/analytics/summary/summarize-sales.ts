// Workflow: summarize the sales of a period, including every event committed before the request.

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import { ALL_CHANNELS } from "#analytics/projection/memory.ts";
import { bucketOf, slotAt, SLOTS_OF_HOUR } from "#analytics/slots.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { findFirstSequence } from "#platform/event-log/event-log.ts";
import { getStore } from "#shop/store/get-store.ts";

import { type Backlog } from "./find-backlog.ts";
import { type Period, type PeriodRequest, readPeriod } from "./period.ts";
import { findNames, listScopes, type NameRow, type ScopeRow } from "./queries.ts";
import {
  type Block,
  type BlockRequest,
  prepareBlock,
  readBlock,
  type Source,
} from "./read-block.ts";

/** How long a request waits for uncounted events, milliseconds. */
const CATCH_UP_MS = 2_000;
const RETRY_AFTER_SECONDS = "2";

export interface SummaryRequest extends PeriodRequest {
  readonly currency?: CurrencyCode | undefined;
  readonly channel?: string | undefined;
}

export interface Summary {
  readonly period: Period;
  readonly channel: string | null;
  readonly backlog: Backlog;
  readonly blocks: readonly Block[];
  /** The names of the parts in the blocks, by number. */
  readonly names: ReadonlyMap<number, NameRow>;
}

interface BlocksRequest extends Pick<SummaryRequest, "currency" | "channel"> {
  /** The shop's currency, for a shop without events. */
  readonly defaultCurrency: CurrencyCode;
  readonly period: Period;
}

export const analyticsBehind = defineRefusal("analytics_behind", "unavailable", {
  title: "The latest events are still being counted.",
  cause: "The summaries do not include the latest events yet.",
  remedy: "Retry after the seconds of `Retry-After`.",
  example: {
    detail: "5000 events are not counted yet.",
    headers: { "Retry-After": "1" },
  },
});

/**
 * The summary, with a block for each currency that ever had an event, zeros included. Refuses with
 * `period_invalid`, and with `analytics_behind` if counting takes too long.
 */
export async function summarizeSales(
  shop: AnalyticsShop,
  request: SummaryRequest,
): Promise<Summary> {
  const store = await getStore(shop.database.read);
  const now = shop.clock.now();
  const period = readPeriod(request, { now, timezone: store.timezone });
  const backlog = await shop.catchUp.run(CATCH_UP_MS);
  if (backlog.behind > 0 && backlog.isWritable) throw stillCounting(backlog);
  const terms = { ...request, defaultCurrency: store.currency, period };
  const openFrom = bucketOf(slotAt(now), SLOTS_OF_HOUR);
  const sourceOf = async (db: Reader) => ({
    db,
    beginning: await findFirstSequence(db),
    caches: shop.summaryCaches,
    openFrom,
  });
  await prepareBlocks(await sourceOf(shop.database.read), terms);
  const { blocks, names } = await shop.database.readTogether(async (db) =>
    readBlocks(await sourceOf(db), terms),
  );
  return { period, channel: request.channel ?? null, backlog, blocks, names };
}

async function prepareBlocks(source: Source, request: BlocksRequest): Promise<void> {
  for (const block of await blockRequests(source.db, request)) {
    await prepareBlock(source, block, { period: request.period, between: nextTurn });
  }
}

async function readBlocks(
  source: Source,
  request: BlocksRequest,
): Promise<Pick<Summary, "blocks" | "names">> {
  const blocks: Block[] = [];
  for (const block of await blockRequests(source.db, request)) {
    blocks.push(await readBlock(source, block, request.period));
  }
  return { blocks, names: await findNames(source.db, numbersIn(blocks)) };
}

async function blockRequests(
  db: Reader,
  { currency, channel, defaultCurrency }: BlocksRequest,
): Promise<BlockRequest[]> {
  const scopes = await listScopes(db);
  return currenciesOf(scopes, currency ?? null, defaultCurrency).map((one) =>
    blockRequest(scopes, one, channel),
  );
}

function stillCounting({ behind }: Backlog) {
  return analyticsBehind({
    detail: `${behind} events are not counted yet.`,
    headers: { "Retry-After": RETRY_AFTER_SECONDS },
  });
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

/** The numbers of all parts in the blocks. */
function numbersIn(blocks: readonly Block[]): number[] {
  const numbers = blocks.flatMap(({ breakdown }) => {
    const { variants, products, methods, providers, failureCodes, discounts, taxes } = breakdown;
    const parts = [variants, products].flatMap(({ byNet, byUnits }) => [...byNet, ...byUnits]);
    return [
      ...[...parts, ...methods, ...failureCodes, ...discounts].flatMap(({ part, owner }) => [
        part,
        owner,
      ]),
      ...[...providers, ...taxes].map(({ part }) => part),
    ];
  });
  return [...new Set(numbers)];
}
