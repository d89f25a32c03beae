// The breakdown of a period: best sellers, payment methods, providers, failure codes, discounts and taxes.

import { type PartKind, partKinds } from "#analytics/figures.ts";

import {
  greatestFirst,
  type Measure,
  PartSums,
  type PartTotal,
  productsOf,
  Ranking,
  type TotalsByNumber,
} from "./ranking.ts";

/** The length of the lists of best sellers. */
const TOP_LENGTH = 10;
/** The length of the list of discounts: a shop may make a code for every customer. */
const DISCOUNTS_MAX = 100;

export interface Top {
  readonly byNet: readonly PartTotal[];
  readonly byUnits: readonly PartTotal[];
}

/** Payment attempts with one provider. */
export interface ProviderTotal {
  readonly part: number;
  readonly attempts: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** One tax of the sales of a period, and of its refunds. Amounts are minor units. */
export interface TaxTotal {
  readonly part: number;
  readonly taxableMinor: number;
  readonly taxMinor: number;
  readonly refundedTaxableMinor: number;
  readonly refundedTaxMinor: number;
}

/** The totals of a period by kind of part. */
export interface SalesBreakdown {
  readonly variants: Top;
  readonly products: Top;
  /** By net sales, greatest first. */
  readonly methods: readonly PartTotal[];
  /** By attempts, most first. */
  readonly providers: readonly ProviderTotal[];
  readonly failureCodes: readonly PartTotal[];
  /** The greatest by what they take off. */
  readonly discounts: readonly PartTotal[];
  /** Oldest name first. */
  readonly taxes: readonly TaxTotal[];
  /** The count of each step of the histogram of seconds. */
  readonly steps: ReadonlyMap<number, number>;
}

/** The measures by which best sellers are ranked. */
const topMeasures: readonly Measure[] = ["netMinor", "units"];

/** The parts of a period before today. Immutable, because they are cached and shared. */
export class PastParts {
  readonly variants: Ranking;
  readonly products: Ranking;
  readonly discounts: Ranking;
  readonly others: readonly Readonly<PartTotal>[];

  constructor(sums: PartSums) {
    const variants = sums.of(partKinds.variant);
    this.variants = new Ranking(variants, topMeasures);
    this.products = new Ranking(productsOf(variants), topMeasures);
    this.discounts = new Ranking(sums.of(partKinds.discount), ["grossMinor"]);
    this.others = [...sums.others()];
  }

  get rows(): number {
    return this.variants.size + this.products.size + this.discounts.size + this.others.length;
  }
}

/** The breakdown of a period from its past and the parts since then. */
export function breakDown(past: PastParts, since: PartSums): SalesBreakdown {
  const variants = since.of(partKinds.variant);
  const sums = new PartSums();
  for (const row of past.others) sums.add(row);
  for (const row of since.others()) sums.add(row);
  const totals = (kind: PartKind) => [...sums.of(kind).values()];
  return {
    variants: topOf(past.variants, variants),
    products: topOf(past.products, productsOf(variants)),
    methods: totals(partKinds.method).toSorted(greatestFirst("netMinor")),
    providers: providersOf(sums),
    failureCodes: totals(partKinds.failureCode).toSorted(greatestFirst("count")),
    discounts: past.discounts.best("grossMinor", since.of(partKinds.discount), DISCOUNTS_MAX),
    taxes: taxesOf(sums),
    steps: new Map(totals(partKinds.seconds).map(({ part, count }) => [part, count])),
  };
}

function topOf(past: Ranking, since: TotalsByNumber): Top {
  return {
    byNet: past.best("netMinor", since, TOP_LENGTH),
    byUnits: past.best("units", since, TOP_LENGTH),
  };
}

function providersOf(sums: PartSums): ProviderTotal[] {
  const { attempt, success, failure } = partKinds;
  const parts = new Set([attempt, success, failure].flatMap((kind) => [...sums.of(kind).keys()]));
  const countOf = (kind: PartKind, part: number) => sums.of(kind).get(part)?.count ?? 0;
  const totals = [...parts].map((part) => ({
    part,
    attempts: countOf(attempt, part),
    succeeded: countOf(success, part),
    failed: countOf(failure, part),
  }));
  return totals.toSorted((one, other) => other.attempts - one.attempts || one.part - other.part);
}

/** A tax that was only refunded in the period has a row too. */
function taxesOf(sums: PartSums): TaxTotal[] {
  const [charged, refunded] = [sums.of(partKinds.tax), sums.of(partKinds.refundedTax)];
  const parts = [...new Set([...charged.keys(), ...refunded.keys()])];
  return parts
    .toSorted((one, other) => one - other)
    .map((part) => ({
      part,
      taxableMinor: charged.get(part)?.grossMinor ?? 0,
      taxMinor: charged.get(part)?.netMinor ?? 0,
      refundedTaxableMinor: refunded.get(part)?.grossMinor ?? 0,
      refundedTaxMinor: refunded.get(part)?.netMinor ?? 0,
    }));
}
