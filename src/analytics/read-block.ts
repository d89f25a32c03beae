// Lookup: everything a summary says of one currency.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/store/store.ts";

import { type Breakdown, PartSums } from "./breakdown.ts";
import { countBuyers } from "./count-buyers.ts";
import { addFigures, type Figures, noFigures } from "./figures.ts";
import type { FiguresSource, PartShelf } from "./part-shelf.ts";
import type { Period } from "./period.ts";
import { piecesApart, piecesOf, QUARTERS_OF_DAY, readingOf, type Span } from "./quarters.ts";
import {
  type BuyerCount,
  type FigureRow,
  findFigures,
  findFiguresOf,
  findSales,
  findSteps,
  type ScopeRow,
} from "./queries.ts";
import { medianSeconds } from "./seconds.ts";

/** What can be said of any period. */
export interface Totals {
  readonly figures: Figures;
  readonly buyers: BuyerCount;
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
export interface Source extends FiguresSource {
  readonly shelf: PartShelf;
  /** Before this quarter hardly anything happens any more. */
  readonly openFrom: number;
}

/** The buckets of several channels, all together the span. */
interface Buckets {
  /** Whole days that are over: they are read at once, and stay as they are. */
  readonly days: readonly FigureRow[];
  /** The hours of the days that the span begins and ends with. */
  readonly hours: readonly FigureRow[];
}

/**
 * Afterwards what takes long of a block was read, bucket by bucket: others have their turn between two
 * of them, and the block itself finds it on the shelf.
 */
export async function prepareBlock(
  source: Source,
  { channels }: BlockRequest,
  { period, between }: { readonly period: Period; readonly between: () => Promise<void> },
): Promise<void> {
  const { days } = await findBuckets(source, channels, period);
  await source.shelf.read(source, days, between);
}

/** The block of a currency; zeros where nothing happened. */
export async function readBlock(
  source: Source,
  { currency, scope, channels }: BlockRequest,
  period: Period,
): Promise<Block> {
  const { db, shelf } = source;
  const { days, hours } = await findBuckets(source, channels, period);
  const parts = new PartSums();
  parts.add(await shelf.read(source, days));
  for (const hour of hours) parts.add(await shelf.read(source, [hour]));
  const breakdown = parts.breakdown();
  const { previous } = period;
  return {
    currency,
    figures: await readSpan(db, scope, period),
    buyers: await readBuyers(db, scope, period),
    medianSeconds: medianSeconds(breakdown.steps),
    series: await readPoints(db, scope, period.points),
    channels: totalsOf(channels, [...days, ...hours]),
    breakdown,
    previous: previous === null ? null : await readTotals(source, { scope, channels }, previous),
  };
}

async function readTotals(
  source: Source,
  { scope, channels }: Omit<BlockRequest, "currency">,
  span: Span,
): Promise<Totals> {
  const { db } = source;
  const { days, hours } = await findBuckets(source, channels, span);
  const steps = new Map<number, number>();
  for (const bucket of [...days, ...hours]) {
    for (const { part, count } of await findSteps(db, bucket)) {
      steps.set(part, (steps.get(part) ?? 0) + count);
    }
  }
  return {
    figures: await readSpan(db, scope, span),
    buyers: await readBuyers(db, scope, span),
    medianSeconds: medianSeconds(steps),
  };
}

async function findBuckets(
  { db, openFrom }: Source,
  channels: readonly ScopeRow[],
  span: Span,
): Promise<Buckets> {
  const numbers = channels.map(({ number }) => number);
  const rows: FigureRow[] = [];
  for (const piece of piecesApart(span, openFrom)) {
    rows.push(...(await findFiguresOf(db, numbers, piece)));
  }
  const isOver = ({ level, bucket }: FigureRow) =>
    level >= QUARTERS_OF_DAY && bucket + level <= openFrom;
  return { days: rows.filter(isOver), hours: rows.filter((row) => !isOver(row)) };
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
      const point = points[reading.indexOf(row.level, row.bucket) ?? -1];
      if (point !== undefined) addFigures(point, row);
    }
  }
  return points;
}

async function readBuyers(db: Reader, scope: number | null, span: Span): Promise<BuyerCount> {
  return scope === null ? { fresh: 0, returning: 0 } : countBuyers(db, scope, span);
}
