// What a period's figures are made of: the best things, the methods, the providers, the failures.

import { addPart, noPart, type PartFigures, type PartKind, partKinds } from "./figures.ts";

/** How many of the best are told. */
const TOP_LENGTH = 10;

export interface PartTotal extends PartFigures {
  readonly kind: PartKind;
  readonly part: number;
  readonly owner: number;
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

/** Adds up the parts of a period. */
export class PartSums {
  readonly #totals = new Map<PartKind, Map<number, PartTotal>>();

  /** Adds a row, which is the sums' own from then on. */
  add(row: PartTotal): void {
    let ofKind = this.#totals.get(row.kind);
    if (ofKind === undefined) this.#totals.set(row.kind, (ofKind = new Map()));
    const sum = ofKind.get(row.part);
    if (sum === undefined) ofKind.set(row.part, row);
    else addPart(sum, row);
  }

  /** All that was added, in order. */
  breakdown(): Breakdown {
    const variants = this.#of(partKinds.variant);
    const steps = this.#of(partKinds.seconds).map(({ part, count }) => [part, count] as const);
    return {
      variants: topOf(variants),
      products: topOf(productsOf(variants)),
      methods: this.#of(partKinds.method).toSorted(by((one) => one.netMinor)),
      providers: this.#providers(),
      failureCodes: this.#of(partKinds.failureCode).toSorted(by((one) => one.count)),
      steps: new Map(steps),
    };
  }

  #providers(): ProviderTotal[] {
    const kinds = [partKinds.attempt, partKinds.success, partKinds.failure];
    const parts = new Set(kinds.flatMap((kind) => this.#of(kind).map(({ part }) => part)));
    const countOf = (kind: PartKind, part: number) => this.#totals.get(kind)?.get(part)?.count ?? 0;
    const totals = [...parts].map((part) => ({
      part,
      attempts: countOf(partKinds.attempt, part),
      succeeded: countOf(partKinds.success, part),
      failed: countOf(partKinds.failure, part),
    }));
    return totals.toSorted((one, other) => other.attempts - one.attempts || one.part - other.part);
  }

  #of(kind: PartKind): PartTotal[] {
    return [...(this.#totals.get(kind)?.values() ?? [])];
  }
}

/** The products are what their variants come to. */
function productsOf(variants: readonly PartTotal[]): PartTotal[] {
  const products = new Map<number, PartTotal>();
  for (const variant of variants) {
    const { kind, owner: part } = variant;
    const sum = products.get(part) ?? { kind, part, owner: 0, ...noPart };
    products.set(part, sum);
    addPart(sum, variant);
  }
  return [...products.values()];
}

type Order = (one: PartTotal, other: PartTotal) => number;

/** The greatest first, of equal ones the one that was heard of first. */
function by(value: (of: PartTotal) => number): Order {
  return (one, other) => value(other) - value(one) || one.part - other.part;
}

function topOf(all: readonly PartTotal[]): Top {
  return {
    byNet: best(
      all,
      by((one) => one.netMinor),
    ),
    byUnits: best(
      all,
      by((one) => one.units),
    ),
  };
}

/** The first of the order, without putting all the others in order too. */
function best(all: readonly PartTotal[], order: Order): PartTotal[] {
  const found: PartTotal[] = [];
  for (const one of all) {
    const last = found[TOP_LENGTH - 1];
    if (last !== undefined && order(one, last) >= 0) continue;
    const place = found.findIndex((other) => order(one, other) < 0);
    found.splice(place === -1 ? found.length : place, 0, one);
    found.length = Math.min(found.length, TOP_LENGTH);
  }
  return found;
}
