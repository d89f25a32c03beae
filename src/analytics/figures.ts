// The figures that analytics counts, and the rules that derive others from them. Amounts are minor
// units of one currency; figures of two currencies are never added.

import { average, inBounds } from "#kernel/money.ts";

/** The name of the log cursor. */
export const CONSUMER = "analytics";

/** The summed columns. */
export const figureNames = [
  "placed",
  "paid",
  "fulfilled",
  "cancelled",
  "expired",
  "unitsSold",
  "grossMinor",
  "discountMinor",
  "refundedMinor",
  "shippingMinor",
  "taxMinor",
  "includedTaxMinor",
  "refundedTaxMinor",
  "keptMinor",
  "writtenOffMinor",
  "writtenOffOfSalesMinor",
  "started",
  "abandoned",
  "abandonedDiscounted",
  "recovered",
  "recoveredMinor",
  "attempts",
  "succeeded",
  "failed",
] as const;
export type FigureName = (typeof figureNames)[number];
export type Figures = Record<FigureName, number>;

/** Figures of zero. */
export function noFigures(): Figures {
  return {
    placed: 0,
    paid: 0,
    fulfilled: 0,
    cancelled: 0,
    expired: 0,
    unitsSold: 0,
    grossMinor: 0,
    discountMinor: 0,
    refundedMinor: 0,
    shippingMinor: 0,
    taxMinor: 0,
    includedTaxMinor: 0,
    refundedTaxMinor: 0,
    keptMinor: 0,
    writtenOffMinor: 0,
    writtenOffOfSalesMinor: 0,
    started: 0,
    abandoned: 0,
    abandonedDiscounted: 0,
    recovered: 0,
    recoveredMinor: 0,
    attempts: 0,
    succeeded: 0,
    failed: 0,
  };
}

/** Adds the second to the first, in place. */
export function addFigures(sum: Figures, more: Partial<Figures>): void {
  for (const name of figureNames) {
    const added = more[name];
    if (added !== undefined) sum[name] += added;
  }
}

/** Returns true if any figure is not zero. */
export function isAnything(figures: Figures): boolean {
  return figureNames.some((name) => figures[name] !== 0);
}

type Sales = Pick<Figures, "grossMinor" | "discountMinor" | "refundedMinor">;

/** Net sales: gross minus discounts and refunds. */
export function netMinor({ grossMinor, discountMinor, refundedMinor }: Sales): number {
  return grossMinor - discountMinor - refundedMinor;
}

/** Net sales plus shipping, tax and the money that is kept for goods that were never sold. */
export function totalMinor(figures: Figures): number {
  return netMinor(figures) + figures.shippingMinor + figures.taxMinor + figures.keptMinor;
}

/** Net per paid order, rounded to the nearest minor unit; null without paid orders. */
export function averageMinor(figures: Figures): number | null {
  if (figures.paid === 0) return null;
  return average(inBounds(netMinor(figures)), figures.paid);
}

/** The ratio, rounded to four digits; null if the whole is 0. */
export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/** The change in percent, rounded to one digit; null without a value before or from 0. */
export function changePercent(before: number | null, now: number | null): number | null {
  if (before === null || now === null || before === 0) return null;
  return Math.round(((now - before) / Math.abs(before)) * 1_000) / 10;
}

/** The kinds of breakdown, as numbers in `analytics_parts.kind`. */
export const partKinds = {
  variant: 1,
  method: 2,
  attempt: 3,
  success: 4,
  failure: 5,
  failureCode: 6,
  seconds: 7,
  discount: 8,
  tax: 9,
  refundedTax: 10,
} as const;
export type PartKind = (typeof partKinds)[keyof typeof partKinds];

/**
 * Figures of one part: a variant, a payment method, a failure code. Of a discount, gross is what it takes off and net
 * the net sales of its orders; of a tax, gross is what is taxed and net the tax.
 */
export interface PartFigures {
  count: number;
  units: number;
  grossMinor: number;
  netMinor: number;
}

/** Part figures of zero. */
export const noPart: Readonly<PartFigures> = { count: 0, units: 0, grossMinor: 0, netMinor: 0 };

/** Adds the second to the first, in place. */
export function addPart(sum: PartFigures, more: Readonly<PartFigures>): void {
  sum.count += more.count;
  sum.units += more.units;
  sum.grossMinor += more.grossMinor;
  sum.netMinor += more.netMinor;
}

/** Customers who bought in a span: for the first time, or again. */
export interface CustomerCount {
  readonly fresh: number;
  readonly returning: number;
}

/** The sum of two counts. The caller makes sure that no customer is in both. */
export function addCustomerCounts(one: CustomerCount, other: CustomerCount): CustomerCount {
  return { fresh: one.fresh + other.fresh, returning: one.returning + other.returning };
}
