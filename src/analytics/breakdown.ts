// What a period's figures are made of: the best things, the methods, the providers, the failures.

import { addPart, type PartKind, partKinds } from "./figures.ts";
import { NumberedSums, type PartColumns, type PartTotal } from "./numbered-sums.ts";

/** How many of the best are told. */
const TOP_LENGTH = 10;

/** The parts of a bucket or of several. Nobody changes them: they are kept for whoever asks next. */
export interface BucketParts {
  readonly variants: PartColumns;
  /** All other kinds. */
  readonly others: readonly Readonly<PartTotal>[];
}

export interface Top {
  readonly byNet: readonly PartTotal[];
  readonly byUnits: readonly PartTotal[];
}

/** Attempts to be paid with one provider. */
export interface ProviderTotal {
  readonly part: number;
  readonly attempts: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** What the parts of a period come to. */
export interface Breakdown {
  readonly variants: Top;
  readonly products: Top;
  /** Those that brought most first. */
  readonly methods: readonly PartTotal[];
  /** Those that were asked most first. */
  readonly providers: readonly ProviderTotal[];
  readonly failureCodes: readonly PartTotal[];
  /** How often each step of the histogram of seconds was met. */
  readonly steps: ReadonlyMap<number, number>;
}

/** Adds up the parts of a period, once. */
export class PartSums {
  readonly #variants = NumberedSums.take();
  readonly #others = new Map<PartKind, Map<number, PartTotal>>();

  /** Adds the parts of a bucket, or of several. */
  add({ variants, others }: BucketParts): void {
    this.#variants.add(variants);
    for (const row of others) {
      let ofKind = this.#others.get(row.kind);
      if (ofKind === undefined) this.#others.set(row.kind, (ofKind = new Map()));
      const sum = ofKind.get(row.part);
      if (sum === undefined) ofKind.set(row.part, { ...row });
      else addPart(sum, row);
    }
  }

  /** All that was added, to be kept. Nothing is added after this. */
  parts(): BucketParts {
    const variants = this.#variants.copy();
    this.#variants.release();
    return { variants, others: [...this.#others.values()].flatMap((sums) => [...sums.values()]) };
  }

  /** All that was added, in order. Nothing is added after this. */
  breakdown(): Breakdown {
    const products = this.#variants.products();
    const tops = { variants: topOf(this.#variants), products: topOf(products) };
    for (const sums of [this.#variants, products]) sums.release();
    return {
      ...tops,
      methods: this.#of(partKinds.method).toSorted(by((one) => one.netMinor)),
      providers: this.#providers(),
      failureCodes: this.#of(partKinds.failureCode).toSorted(by((one) => one.count)),
      steps: new Map(this.#of(partKinds.seconds).map(({ part, count }) => [part, count])),
    };
  }

  #providers(): ProviderTotal[] {
    const kinds = [partKinds.attempt, partKinds.success, partKinds.failure];
    const parts = new Set(kinds.flatMap((kind) => this.#of(kind).map(({ part }) => part)));
    const countOf = (kind: PartKind, part: number) => this.#others.get(kind)?.get(part)?.count ?? 0;
    const totals = [...parts].map((part) => ({
      part,
      attempts: countOf(partKinds.attempt, part),
      succeeded: countOf(partKinds.success, part),
      failed: countOf(partKinds.failure, part),
    }));
    return totals.toSorted((one, other) => other.attempts - one.attempts || one.part - other.part);
  }

  #of(kind: PartKind): PartTotal[] {
    return [...(this.#others.get(kind)?.values() ?? [])];
  }
}

type Order = (one: PartTotal, other: PartTotal) => number;

/** The greatest first, of equal ones the one that was heard of first. */
function by(value: (of: PartTotal) => number): Order {
  return (one, other) => value(other) - value(one) || one.part - other.part;
}

function topOf(sums: NumberedSums): Top {
  return {
    byNet: sums.best("netMinor", TOP_LENGTH),
    byUnits: sums.best("units", TOP_LENGTH),
  };
}
