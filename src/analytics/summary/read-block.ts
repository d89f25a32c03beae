// Lookup: the part of a summary for one currency.

import {
  addCustomerCounts,
  addFigures,
  type CustomerCount,
  figureNames,
  type Figures,
  noFigures,
} from "#analytics/figures.ts";
import { medianSeconds } from "#analytics/seconds.ts";
import {
  bucketOf,
  type Piece,
  piecesApart,
  piecesOf,
  SLOTS_OF_DAY,
  type Span,
} from "#analytics/slots.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/database/database.ts";

import { breakDown, PastParts, type SalesBreakdown } from "./breakdown.ts";
import type { Period } from "./period.ts";
import {
  countPurchases,
  countReturns,
  type FigureRow,
  findFigures,
  findFiguresOf,
  findSteps,
  partPages,
  type ScopeRow,
  sumSales,
} from "./queries.ts";
import { PartSums } from "./ranking.ts";
import type { SummaryCaches } from "./summary-caches.ts";

/** The totals of a period. */
export interface Totals {
  readonly figures: Figures;
  readonly customers: CustomerCount;
  readonly medianSeconds: number | null;
}

export interface ChannelTotal {
  readonly channel: string;
  readonly figures: Figures;
}

export interface Block extends Totals {
  readonly currency: CurrencyCode;
  /** Sales figures, one per point of the period. */
  readonly series: readonly Figures[];
  readonly channels: readonly ChannelTotal[];
  readonly breakdown: SalesBreakdown;
  readonly previous: Totals | null;
}

/** The scope of one currency's figures and customers, and its channels. */
export interface BlockRequest {
  readonly currency: CurrencyCode;
  /** Null before the first event. */
  readonly scope: number | null;
  readonly channels: readonly ScopeRow[];
}

/** The source of a block. */
export interface Source {
  readonly db: Reader;
  readonly caches: SummaryCaches;
  /** The first sequence of the log: it changes when the shop is reset, which invalidates caches. */
  readonly beginning: number;
  /** Figures of earlier slots rarely change, so they are cached. */
  readonly openFrom: number;
}

/** The channels of one currency in a span, and the scope of all channels. */
interface ChannelsSpan {
  readonly scope: number | null;
  readonly channels: readonly ScopeRow[];
  readonly span: Span;
}

/** The buckets of several channels that cover a span. */
interface Buckets {
  /** Buckets before today, which rarely change. */
  readonly past: readonly FigureRow[];
  readonly today: readonly FigureRow[];
}

/** Caches the past of a block. It is read in pages, and `between` runs between two of them. */
export async function prepareBlock(
  source: Source,
  { scope, channels }: BlockRequest,
  { period: span, between }: { readonly period: Period; readonly between: () => Promise<void> },
): Promise<void> {
  const { pasts, preparing } = source.caches;
  const request = { scope, channels, span };
  const key = pastKey(source, request);
  if (pasts.has(key)) return;
  const prepare = async () => {
    const { past } = await findBuckets(source, request);
    await readPast(source, request, { past, between });
  };
  const running = preparing.get(key) ?? prepare().finally(() => preparing.delete(key));
  preparing.set(key, running);
  await running;
}

/** The block of a currency; zeros without events. */
export async function readBlock(
  source: Source,
  { currency, scope, channels }: BlockRequest,
  period: Period,
): Promise<Block> {
  const { db } = source;
  const request = { scope, channels, span: period };
  const { past, today } = await findBuckets(source, request);
  const before = await readPast(source, request, { past, between: async () => {} });
  const breakdown = breakDown(before, await readToday(source, today));
  const { previous } = period;
  return {
    currency,
    figures: await readSpan(db, scope, period),
    customers: await readCustomers(source, request, past),
    medianSeconds: medianSeconds(breakdown.steps),
    series: await sumSales(db, scope, period.points),
    channels: totalsOf(channels, [...past, ...today]),
    breakdown,
    previous:
      previous === null ? null : await readTotals(source, { scope, channels, span: previous }),
  };
}

async function readTotals(source: Source, request: ChannelsSpan): Promise<Totals> {
  const { db } = source;
  const { past, today } = await findBuckets(source, request);
  const steps = new Map<number, number>();
  for (const bucket of [...past, ...today]) {
    for (const { part, count } of await findSteps(db, bucket)) {
      steps.set(part, (steps.get(part) ?? 0) + count);
    }
  }
  return {
    figures: await readSpan(db, request.scope, request.span),
    customers: await readCustomers(source, request, past),
    medianSeconds: medianSeconds(steps),
  };
}

/** The first slot of today, clamped to the span. */
function todayOf({ openFrom }: Source, { from, to }: Span): number {
  return Math.min(Math.max(from, bucketOf(openFrom, SLOTS_OF_DAY)), to);
}

async function findBuckets(source: Source, { channels, span }: ChannelsSpan): Promise<Buckets> {
  const numbers = channels.map(({ number }) => number);
  const midnight = todayOf(source, span);
  const find = async (pieces: readonly Piece[]) => {
    const rows: FigureRow[] = [];
    for (const piece of pieces) rows.push(...(await findFiguresOf(source.db, numbers, piece)));
    return rows;
  };
  return {
    past: await find(piecesOf({ from: span.from, to: midnight })),
    today: await find(piecesApart({ from: midnight, to: span.to }, source.openFrom)),
  };
}

function pastKey(source: Source, { scope, channels, span }: ChannelsSpan): string {
  const numbers = channels.map(({ number }) => number).join();
  return `${source.beginning} ${scope} ${numbers} ${span.from} ${todayOf(source, span)}`;
}

/** The past from the cache, or added up; `between` is awaited between two pages. */
function readPast(
  source: Source,
  request: ChannelsSpan,
  { past, between }: { readonly past: readonly FigureRow[]; readonly between: () => Promise<void> },
): Promise<PastParts> {
  return source.caches.pasts.read(pastKey(source, request), stampOf(past), async () => {
    const sums = new PartSums();
    for (const bucket of past) {
      for await (const page of partPages(source.db, bucket)) {
        for (const row of page) sums.add(row);
        await between();
      }
    }
    const value = new PastParts(sums);
    return { value, rows: value.rows };
  });
}

async function readToday(source: Source, today: readonly FigureRow[]): Promise<PartSums> {
  const sums = new PartSums();
  for (const bucket of today) for (const row of await readBucket(source, bucket)) sums.add(row);
  return sums;
}

function readBucket({ db, caches, beginning }: Source, row: FigureRow) {
  const key = `${beginning} ${row.scope} ${row.resolution} ${row.bucket}`;
  return caches.buckets.read(key, stampOf([row]), async () => {
    const value = (await Array.fromAsync(partPages(db, row))).flat();
    return { value, rows: value.length };
  });
}

function totalsOf(channels: readonly ScopeRow[], rows: readonly FigureRow[]): ChannelTotal[] {
  return channels.map(({ number, channel }) => {
    const figures = noFigures();
    for (const row of rows) if (row.scope === number) addFigures(figures, row);
    return { channel, figures };
  });
}

async function readSpan(db: Reader, scope: number | null, span: Span): Promise<Figures> {
  const sum = noFigures();
  if (scope === null) return sum;
  for (const piece of piecesOf(span)) {
    for (const row of await findFigures(db, { scope, ...piece })) addFigures(sum, row);
  }
  return sum;
}

async function readCustomers(
  source: Source,
  request: ChannelsSpan,
  past: readonly FigureRow[],
): Promise<CustomerCount> {
  const { scope, span } = request;
  if (scope === null) return { fresh: 0, returning: 0 };
  const { db, caches } = source;
  const { from: start, to } = span;
  const midnight = todayOf(source, span);
  const before = await caches.customers.read(pastKey(source, request), stampOf(past), async () => ({
    value: await countCustomers(db, scope, { from: start, to: midnight, start }),
    rows: 1,
  }));
  return addCustomerCounts(before, await countCustomers(db, scope, { from: midnight, to, start }));
}

/** Equal figures mean equal parts and purchases, because figures only grow. */
function stampOf(buckets: readonly FigureRow[]): string {
  return buckets.map(stampOfOne).join();
}

function stampOfOne(row: FigureRow): string {
  return [row.scope, row.resolution, row.bucket, ...figureNames.map((name) => row[name])].join(" ");
}

/**
 * Counts each customer once in the part `from` to `to` of a span that begins at `start`. Exactly one
 * purchase of each returning customer in the span has its previous purchase before the span, so the
 * count of these purchases is the count of customers. Whole days are read by day, the ends by slot:
 *
 * 1. purchases on whole days whose previous one is on a day before the span's first day;
 * 2. purchases on whole days whose previous one is on the span's first day but before the span;
 * 3. purchases at the ends, wherever their previous one is.
 */
async function countCustomers(
  db: Reader,
  scope: number,
  { from, to, start }: Span & { readonly start: number },
): Promise<CustomerCount> {
  const countBySlot = (part: Span) =>
    countPurchases(db, { scope, resolution: 1, ...part, before: start });
  const day = bucketOf(from, SLOTS_OF_DAY);
  const days = {
    from: day === from ? from : day + SLOTS_OF_DAY,
    to: bucketOf(to, SLOTS_OF_DAY),
  };
  if (days.from >= days.to) return countBySlot({ from, to });
  const resolution = SLOTS_OF_DAY;
  const firstDay = bucketOf(start, SLOTS_OF_DAY);
  const counts = [
    await countPurchases(db, { scope, resolution, ...days, before: firstDay }),
    await countBySlot({ from, to: days.from }),
    await countBySlot({ from: days.to, to }),
  ];
  const sameDay = { previous: { from: firstDay, to: start }, next: days };
  const returning = await countReturns(db, scope, sameDay);
  return counts.reduce(addCustomerCounts, { fresh: 0, returning });
}
