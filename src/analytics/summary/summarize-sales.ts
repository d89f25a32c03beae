// Workflow: how the shop did in a period, with everything in it that was committed before somebody
// asked.

import { catchUp } from "#analytics/projection/catch-up.ts";
import { ALL_CHANNELS } from "#analytics/projection/memory.ts";
import { bucketOf, slotAt, SLOTS_OF_HOUR } from "#analytics/slots.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { findFirstSequence } from "#platform/event-log/event-log.ts";
import { getStore } from "#shop/store/get-store.ts";

import { SummaryCaches } from "./caches.ts";
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

/** How long somebody waits for the rest of the log to be counted, milliseconds. */
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
  /** What the parts of the blocks are called, by their numbers. */
  readonly names: ReadonlyMap<number, NameRow>;
}

interface BlocksRequest extends Pick<SummaryRequest, "currency" | "channel"> {
  /** The shop's own currency. */
  readonly usual: CurrencyCode;
  readonly period: Period;
}

export const analyticsBehind = defineRefusal(
  "analytics_behind",
  "unavailable",
  "The events of the shop are still being counted.",
);

/**
 * The summary, a block for each currency in which anything ever happened, zeros included. Refuses
 * with `period_invalid`, and with `analytics_behind` where counting takes too long.
 */
export async function summarizeSales(shop: Shop, request: SummaryRequest): Promise<Summary> {
  const store = await getStore(shop.database.read);
  const now = shop.clock.now();
  const period = readPeriod(request, { now, timezone: store.timezone });
  const backlog = await catchUp(shop.database, CATCH_UP_MS);
  if (backlog.behind > 0 && backlog.isUnderWay) throw stillCounting(backlog);
  const terms = { ...request, usual: store.currency, period };
  const caches = SummaryCaches.of(shop.database.read);
  const openFrom = bucketOf(slotAt(now), SLOTS_OF_HOUR);
  const sourceOf = async (db: Reader) => ({
    db,
    beginning: await findFirstSequence(db),
    caches,
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
  { currency, channel, usual }: BlocksRequest,
): Promise<BlockRequest[]> {
  const scopes = await listScopes(db);
  return currenciesOf(scopes, currency ?? null, usual).map((one) =>
    blockRequest(scopes, one, channel),
  );
}

function stillCounting({ behind }: Backlog) {
  return analyticsBehind({
    detail: `${behind} events are still to be counted.`,
    headers: { "Retry-After": RETRY_AFTER_SECONDS },
  });
}

function currenciesOf(
  scopes: readonly ScopeRow[],
  asked: CurrencyCode | null,
  usual: CurrencyCode,
): CurrencyCode[] {
  if (asked !== null) return [asked];
  const known = [...new Set(scopes.map(({ currency }) => currency))];
  return known.length === 0 ? [usual] : known;
}

/** One channel where it is asked for, else all of them together. */
function blockRequest(
  scopes: readonly ScopeRow[],
  currency: CurrencyCode,
  asked: string | undefined,
): BlockRequest {
  const own = scopes.filter((scope) => scope.currency === currency);
  const isAsked = ({ channel }: ScopeRow) =>
    asked === undefined ? channel !== ALL_CHANNELS : channel === asked;
  const scope = own.find(({ channel }) => channel === (asked ?? ALL_CHANNELS));
  return { currency, scope: scope?.number ?? null, channels: own.filter(isAsked) };
}

/** The numbers of everything that a block names. */
function numbersIn(blocks: readonly Block[]): number[] {
  const numbers = blocks.flatMap(({ breakdown }) => {
    const { variants, products, methods, providers, failureCodes } = breakdown;
    const parts = [variants, products].flatMap(({ byNet, byUnits }) => [...byNet, ...byUnits]);
    return [
      ...[...parts, ...methods, ...failureCodes].flatMap(({ part, owner }) => [part, owner]),
      ...providers.map(({ part }) => part),
    ];
  });
  return [...new Set(numbers)];
}
