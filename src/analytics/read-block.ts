// Lookup: everything a summary says of one currency.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/store/store.ts";

import { type Breakdown, PartSums } from "./breakdown.ts";
import { countBuyers } from "./count-buyers.ts";
import { addFigures, type Figures, noFigures } from "./figures.ts";
import type { Period } from "./period.ts";
import { piecesOf, readingOf, type Span } from "./quarters.ts";
import {
  type BuyerCount,
  findFigures,
  findParts,
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

/** The block of a currency; zeros where nothing happened. */
export async function readBlock(
  db: Reader,
  { currency, scope, channels }: BlockRequest,
  period: Period,
): Promise<Block> {
  const parts = new PartSums();
  const totals: ChannelTotal[] = [];
  for (const { number, channel } of channels) {
    totals.push({ channel, figures: await readSpan(db, number, period) });
    for (const piece of piecesOf(period)) {
      for (const row of await findParts(db, { scope: number, ...piece })) parts.add(row);
    }
  }
  const breakdown = parts.breakdown();
  const { previous } = period;
  return {
    currency,
    figures: await readSpan(db, scope, period),
    buyers: await readBuyers(db, scope, period),
    medianSeconds: medianSeconds(breakdown.steps),
    series: await readPoints(db, scope, period.points),
    channels: totals,
    breakdown,
    previous: previous === null ? null : await readTotals(db, { scope, channels }, previous),
  };
}

async function readTotals(
  db: Reader,
  { scope, channels }: Omit<BlockRequest, "currency">,
  span: Span,
): Promise<Totals> {
  const steps = new Map<number, number>();
  for (const { number } of channels) {
    for (const piece of piecesOf(span)) {
      for (const { step, count } of await findSteps(db, { scope: number, ...piece })) {
        steps.set(step, (steps.get(step) ?? 0) + count);
      }
    }
  }
  return {
    figures: await readSpan(db, scope, span),
    buyers: await readBuyers(db, scope, span),
    medianSeconds: medianSeconds(steps),
  };
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
