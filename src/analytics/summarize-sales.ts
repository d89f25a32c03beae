// Workflow: how the shop did in a period, with everything in it that was committed before somebody
// asked.

import type { CurrencyCode } from "#kernel/currency.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { Reader, Shop } from "#platform/store/store.ts";
import { findStore } from "#store/find-store.ts";

import { type Backlog } from "./find-backlog.ts";
import { PartShelf } from "./part-shelf.ts";
import { type Period, type PeriodRequest, readPeriod } from "./period.ts";
import { catchUp } from "./projection/catch-up.ts";
import { ALL_CHANNELS } from "./projection/memory.ts";
import { bucketOf, quarterAt, QUARTERS_OF_HOUR } from "./quarters.ts";
import { findNames, listScopes, type NameRow, type ScopeRow } from "./queries.ts";
import { type Block, type BlockRequest, readBlock } from "./read-block.ts";
import { readStill } from "./read-still.ts";

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
  /** The shop's time. */
  readonly now: number;
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
  const store = await findStore(shop.store.read);
  const now = shop.clock.now();
  const period = readPeriod(request, { now, timezone: store.timezone });
  const backlog = await catchUp(shop.store, CATCH_UP_MS);
  if (backlog.behind > 0 && backlog.isUnderWay) throw stillCounting(backlog);
  const read = (db: Reader) => readBlocks(db, { ...request, usual: store.currency, period, now });
  const { blocks, names } = await readStill(shop.store, read);
  return { period, channel: request.channel ?? null, backlog, blocks, names };
}

async function readBlocks(
  db: Reader,
  { currency: asked, channel, usual, period, now }: BlocksRequest,
): Promise<Pick<Summary, "blocks" | "names">> {
  const scopes = await listScopes(db);
  const source = {
    db,
    shelf: await PartShelf.of(db),
    openFrom: bucketOf(quarterAt(now), QUARTERS_OF_HOUR),
  };
  const blocks: Block[] = [];
  for (const currency of currenciesOf(scopes, asked ?? null, usual)) {
    blocks.push(await readBlock(source, blockRequest(scopes, currency, channel), period));
  }
  return { blocks, names: await findNames(db, numbersIn(blocks)) };
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
