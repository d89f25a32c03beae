// Figures of many things by the numbers of their names, and which of them are the best: a shop may sell
// tens of thousands of variants a month, and orders them once, not for everybody who asks.

import { addPart, type PartFigures, type PartKind, partKinds } from "#analytics/figures.ts";

/** Figures of one part of a kind, as they are told. */
export interface PartTotal extends PartFigures {
  readonly kind: PartKind;
  readonly part: number;
  readonly owner: number;
}

/** The figures of the things of a kind, by their numbers. */
export type TotalsByNumber = ReadonlyMap<number, Readonly<PartTotal>>;

/** What a thing may be the best in. */
export type Measure = "netMinor" | "units";

/** Figures by kind, added up row by row. */
export class PartSums {
  readonly #kinds = new Map<PartKind, Map<number, PartTotal>>();

  add(row: Readonly<PartTotal>): void {
    let ofKind = this.#kinds.get(row.kind);
    if (ofKind === undefined) this.#kinds.set(row.kind, (ofKind = new Map()));
    addTotal(ofKind, row.part, row);
  }

  of(kind: PartKind): TotalsByNumber {
    return this.#kinds.get(kind) ?? new Map();
  }

  /** All kinds but the variants, which are too many to look at each. */
  *others(): Generator<Readonly<PartTotal>> {
    for (const [kind, sums] of this.#kinds) if (kind !== partKinds.variant) yield* sums.values();
  }
}

/** The products of these variants. */
export function productsOf(variants: TotalsByNumber): TotalsByNumber {
  const products = new Map<number, PartTotal>();
  for (const variant of variants.values()) {
    addTotal(products, variant.owner, { ...variant, part: variant.owner, owner: 0 });
  }
  return products;
}

function addTotal(sums: Map<number, PartTotal>, number: number, row: Readonly<PartTotal>): void {
  const sum = sums.get(number);
  if (sum === undefined) sums.set(number, { ...row });
  else addPart(sum, row);
}

/** What things came to, in order. */
export class Ranking {
  readonly #totals: TotalsByNumber;
  readonly #ordered: Readonly<Record<Measure, readonly Readonly<PartTotal>[]>>;

  constructor(totals: TotalsByNumber) {
    this.#totals = totals;
    const all = [...totals.values()];
    this.#ordered = {
      netMinor: all.toSorted(greatestFirst("netMinor")),
      units: all.toSorted(greatestFirst("units")),
    };
  }

  get size(): number {
    return this.#totals.size;
  }

  /** The best of all, with what came to some of them since. */
  best(measure: Measure, since: TotalsByNumber, length: number): Readonly<PartTotal>[] {
    const candidates = [...since].map(([number, more]) => this.#with(number, more));
    let unchanged = 0;
    for (const total of this.#ordered[measure]) {
      if (unchanged === length) break;
      if (since.has(total.part)) continue;
      candidates.push(total);
      unchanged += 1;
    }
    return candidates.toSorted(greatestFirst(measure)).slice(0, length);
  }

  #with(number: number, more: Readonly<PartTotal>): Readonly<PartTotal> {
    const before = this.#totals.get(number);
    if (before === undefined) return more;
    const sum = { ...more };
    addPart(sum, before);
    return sum;
  }
}

/** The greatest first, of equal ones the one that was heard of first. */
export function greatestFirst(measure: keyof PartFigures) {
  return (one: Readonly<PartTotal>, other: Readonly<PartTotal>) =>
    other[measure] - one[measure] || one.part - other.part;
}
