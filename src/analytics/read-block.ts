// Lookup: everything a summary says of one currency.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/store/store.ts";

import { Breakdown } from "./breakdown.ts";
import { countBuyers } from "./count-buyers.ts";
import { addFigures, type Figures, noFigures } from "./figures.ts";
import type { Period } from "./period.ts";
import { readingOf, type Span } from "./quarters.ts";
import { type BuyerCount, findFigures, findParts, findSteps, type ScopeRow } from "./queries.ts";
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
  /** One for each point of the period. */
  readonly series: readonly Figures[];
  readonly channels: readonly ChannelTotal[];
  readonly breakdown: Breakdown;
  readonly previous: Totals | null;
}

/** What is asked of one currency: its channels, and the scope in which its customers are known. */
export interface BlockRequest {
  readonly currency: CurrencyCode;
  readonly channels: readonly ScopeRow[];
  readonly people: number | null;
}

/** The block of a currency; zeros where nothing happened. */
export async function readBlock(db: Reader, request: BlockRequest, period: Period): Promise<Block> {
  const channels: ChannelTotal[] = [];
  const series = period.points.map(noFigures);
  const breakdown = new Breakdown();
  for (const scope of request.channels) {
    const ofChannel = await readPoints(db, scope.number, period.points);
    const figures = noFigures();
    ofChannel.forEach((point, index) => {
      addFigures(figures, point);
      addFigures(series[index] ?? noFigures(), point);
    });
    channels.push({ channel: scope.channel, figures });
    for (const piece of readingOf([period]).pieces) {
      for (const row of await findParts(db, { scope: scope.number, ...piece })) breakdown.add(row);
    }
  }
  return {
    currency: request.currency,
    figures: sumOf(series),
    buyers: await readBuyers(db, request, period),
    medianSeconds: medianSeconds(breakdown.steps),
    series,
    channels,
    breakdown,
    previous: period.previous === null ? null : await readTotals(db, request, period.previous),
  };
}

async function readTotals(db: Reader, request: BlockRequest, span: Span): Promise<Totals> {
  const figures = noFigures();
  const steps = new Map<number, number>();
  for (const { number: scope } of request.channels) {
    addFigures(figures, sumOf(await readPoints(db, scope, [span])));
    for (const piece of readingOf([span]).pieces) {
      for (const { step, count } of await findSteps(db, { scope, ...piece })) {
        steps.set(step, (steps.get(step) ?? 0) + count);
      }
    }
  }
  return {
    figures,
    buyers: await readBuyers(db, request, span),
    medianSeconds: medianSeconds(steps),
  };
}

async function readPoints(db: Reader, scope: number, spans: readonly Span[]): Promise<Figures[]> {
  const points = spans.map(noFigures);
  const reading = readingOf(spans);
  for (const piece of reading.pieces) {
    for (const { scope: _scope, level, bucket, ...row } of await findFigures(db, {
      scope,
      ...piece,
    })) {
      const point = points[reading.indexOf(level, bucket) ?? -1];
      if (point !== undefined) addFigures(point, row);
    }
  }
  return points;
}

async function readBuyers(db: Reader, { people }: BlockRequest, span: Span): Promise<BuyerCount> {
  return people === null ? { fresh: 0, returning: 0 } : countBuyers(db, people, span);
}

function sumOf(all: readonly Figures[]): Figures {
  const sum = noFigures();
  for (const figures of all) addFigures(sum, figures);
  return sum;
}
