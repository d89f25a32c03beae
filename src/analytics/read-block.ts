// Lookup: everything a summary says of one currency.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/store/store.ts";

import { type Breakdown, type BucketParts, PartSums } from "./breakdown.ts";
import { countBuyers } from "./count-buyers.ts";
import { addFigures, type Figures, noFigures, partKinds } from "./figures.ts";
import type { PartShelf } from "./part-shelf.ts";
import type { Period } from "./period.ts";
import { piecesApart, piecesOf, readingOf, type Span } from "./quarters.ts";
import {
  type BuyerCount,
  findFigures,
  findFiguresOf,
  findSales,
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
export interface Source {
  readonly db: Reader;
  readonly shelf: PartShelf;
  /** Before this quarter hardly anything happens any more. */
  readonly openFrom: number;
}

/** The block of a currency; zeros where nothing happened. */
export async function readBlock(
  source: Source,
  { currency, scope, channels }: BlockRequest,
  period: Period,
): Promise<Block> {
  const { db } = source;
  const parts = new PartSums();
  const totals = await readChannels(source, { channels, span: period }, (one) => parts.add(one));
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
    previous: previous === null ? null : await readTotals(source, { scope, channels }, previous),
  };
}

async function readTotals(
  source: Source,
  { scope, channels }: Omit<BlockRequest, "currency">,
  span: Span,
): Promise<Totals> {
  const steps = new Map<number, number>();
  await readChannels(source, { channels, span }, ({ others }) => {
    for (const { kind, part, count } of others) {
      if (kind === partKinds.seconds) steps.set(part, (steps.get(part) ?? 0) + count);
    }
  });
  return {
    figures: await readSpan(source.db, scope, span),
    buyers: await readBuyers(source.db, scope, span),
    medianSeconds: medianSeconds(steps),
  };
}

/** What each channel comes to; the parts of each bucket go to whoever takes them. */
async function readChannels(
  { db, shelf, openFrom }: Source,
  { channels, span }: { readonly channels: readonly ScopeRow[]; readonly span: Span },
  take: (parts: BucketParts) => void,
): Promise<ChannelTotal[]> {
  const sums = new Map(channels.map(({ number }) => [number, noFigures()]));
  for (const piece of piecesApart(span, openFrom)) {
    for (const row of await findFiguresOf(db, [...sums.keys()], piece)) {
      addFigures(sums.get(row.scope) ?? noFigures(), row);
      take(await shelf.read(row));
    }
  }
  return channels.map(({ number, channel }) => ({
    channel,
    figures: sums.get(number) ?? noFigures(),
  }));
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
