// Lookup: everything a summary says of one currency.

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
  readingOf,
  SLOTS_OF_DAY,
  type Span,
} from "#analytics/slots.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/database/database.ts";

import { type Breakdown, breakDown, PastParts } from "./breakdown.ts";
import type { SummaryCaches } from "./caches.ts";
import { countCustomers } from "./count-customers.ts";
import type { Period } from "./period.ts";
import {
  type FigureRow,
  findFigures,
  findFiguresOf,
  findSales,
  findSteps,
  partPages,
  type ScopeRow,
} from "./queries.ts";
import { PartSums } from "./ranking.ts";

/** What can be said of any period. */
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
  /** Sales, one for each point of the period. */
  readonly series: readonly Figures[];
  readonly channels: readonly ChannelTotal[];
  readonly breakdown: Breakdown;
  readonly previous: Totals | null;
}

/** What is asked of one currency: the scope of its figures and customers, and the channels in it. */
export interface BlockRequest {
  readonly currency: CurrencyCode;
  /** Null where nothing ever happened in it. */
  readonly scope: number | null;
  readonly channels: readonly ScopeRow[];
}

/** Where a block is read from. */
export interface Source {
  readonly db: Reader;
  readonly caches: SummaryCaches;
  /** The first sequence of the log: where a shop begins anew, figures do too. */
  readonly beginning: number;
  /** Before this slot hardly anything happens any more. */
  readonly openFrom: number;
}

/** Channels of one currency in a span, and the scope of all of them together. */
interface ChannelsSpan {
  readonly scope: number | null;
  readonly channels: readonly ScopeRow[];
  readonly span: Span;
}

/** The buckets of several channels, all together the span. */
interface Buckets {
  /** Those before today: they stay as they are. */
  readonly past: readonly FigureRow[];
  readonly today: readonly FigureRow[];
}

/** Afterwards the past of a block is in the cache. It is read by pages: others have their turn between two. */
export async function prepareBlock(
  source: Source,
  { scope, channels }: BlockRequest,
  { period: span, between }: { readonly period: Period; readonly between: () => Promise<void> },
): Promise<void> {
  const { pasts, preparing } = source.caches;
  const asked = { scope, channels, span };
  const name = pastName(source, asked);
  if (pasts.has(name)) return;
  const prepare = async () => {
    const { past } = await findBuckets(source, asked);
    await readPast(source, asked, { past, between });
  };
  const underWay = preparing.get(name) ?? prepare().finally(() => preparing.delete(name));
  preparing.set(name, underWay);
  await underWay;
}

/** The block of a currency; zeros where nothing happened. */
export async function readBlock(
  source: Source,
  { currency, scope, channels }: BlockRequest,
  period: Period,
): Promise<Block> {
  const { db } = source;
  const asked = { scope, channels, span: period };
  const { past, today } = await findBuckets(source, asked);
  const before = await readPast(source, asked, { past, between: async () => {} });
  const breakdown = breakDown(before, await readToday(source, today));
  const { previous } = period;
  return {
    currency,
    figures: await readSpan(db, scope, period),
    customers: await readCustomers(source, asked, past),
    medianSeconds: medianSeconds(breakdown.steps),
    series: await readPoints(db, scope, period.points),
    channels: totalsOf(channels, [...past, ...today]),
    breakdown,
    previous:
      previous === null ? null : await readTotals(source, { scope, channels, span: previous }),
  };
}

async function readTotals(source: Source, asked: ChannelsSpan): Promise<Totals> {
  const { db } = source;
  const { past, today } = await findBuckets(source, asked);
  const steps = new Map<number, number>();
  for (const bucket of [...past, ...today]) {
    for (const { part, count } of await findSteps(db, bucket)) {
      steps.set(part, (steps.get(part) ?? 0) + count);
    }
  }
  return {
    figures: await readSpan(db, asked.scope, asked.span),
    customers: await readCustomers(source, asked, past),
    medianSeconds: medianSeconds(steps),
  };
}

/** The first slot of today, or the end of the span that lies nearest to it. */
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

function pastName(source: Source, { scope, channels, span }: ChannelsSpan): string {
  const numbers = channels.map(({ number }) => number).join();
  return `${source.beginning} ${scope} ${numbers} ${span.from} ${todayOf(source, span)}`;
}

/** Added up where nobody did so before; `between` is awaited between two pages. */
function readPast(
  source: Source,
  asked: ChannelsSpan,
  { past, between }: { readonly past: readonly FigureRow[]; readonly between: () => Promise<void> },
): Promise<PastParts> {
  return source.caches.pasts.read(pastName(source, asked), stampOf(past), async () => {
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
  const name = `${beginning} ${row.scope} ${row.resolution} ${row.bucket}`;
  return caches.buckets.read(name, stampOf([row]), async () => {
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

/** The sales of each span. */
async function readPoints(
  db: Reader,
  scope: number | null,
  spans: readonly Span[],
): Promise<Figures[]> {
  const points = spans.map(noFigures);
  if (scope === null) return points;
  const reading = readingOf(spans);
  for (const piece of reading.pieces) {
    for (const row of await findSales(db, { scope, ...piece })) {
      const point = points[reading.indexOf(row.resolution, row.bucket) ?? -1];
      if (point !== undefined) addFigures(point, row);
    }
  }
  return points;
}

async function readCustomers(
  source: Source,
  asked: ChannelsSpan,
  past: readonly FigureRow[],
): Promise<CustomerCount> {
  const { scope, span } = asked;
  if (scope === null) return { fresh: 0, returning: 0 };
  const { db, caches } = source;
  const { from: start, to } = span;
  const midnight = todayOf(source, span);
  const before = await caches.customers.read(pastName(source, asked), stampOf(past), async () => ({
    value: await countCustomers(db, scope, { from: start, to: midnight, start }),
    rows: 1,
  }));
  return addCustomerCounts(before, await countCustomers(db, scope, { from: midnight, to, start }));
}

/** Two buckets of the same figures are made of the same. */
function stampOf(buckets: readonly FigureRow[]): string {
  return buckets.map(stampOfOne).join();
}

function stampOfOne(row: FigureRow): string {
  return [row.scope, row.resolution, row.bucket, ...figureNames.map((name) => row[name])].join(" ");
}
