// Sums of parts by number, and their ranking. A shop may sell tens of thousands of variants a month:
// the ranking is sorted once and cached.

import { addPart, type PartFigures, type PartKind, partKinds } from "#analytics/figures.ts";

/** The totals of one part. */
export interface PartTotal extends PartFigures {
  readonly kind: PartKind;
  readonly part: number;
  readonly owner: number;
}

/** The totals of the parts of one kind, by number. */
export type TotalsByNumber = ReadonlyMap<number, Readonly<PartTotal>>;

/** The measures by which parts are ranked. */
export type Measure = "netMinor" | "units" | "grossMinor";

/** The kinds of which a summary lists the greatest only. */
const ranked: ReadonlySet<PartKind> = new Set([partKinds.variant, partKinds.discount]);

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

  /** The totals of all kinds except variants and discounts, which are too many to iterate. */
  *others(): Generator<Readonly<PartTotal>> {
    for (const [kind, sums] of this.#kinds) if (!ranked.has(kind)) yield* sums.values();
  }
}

/** The totals of products from those of their variants. */
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

/** Totals sorted by each of the measures that are asked for. */
export class Ranking {
  readonly #totals: TotalsByNumber;
  readonly #ordered: ReadonlyMap<Measure, readonly Readonly<PartTotal>[]>;

  constructor(totals: TotalsByNumber, measures: readonly Measure[]) {
    this.#totals = totals;
    const all = [...totals.values()];
    this.#ordered = new Map(
      measures.map((measure) => [measure, all.toSorted(greatestFirst(measure))]),
    );
  }

  get size(): number {
    return this.#totals.size;
  }

  /** The best after adding the totals since then. */
  best(measure: Measure, since: TotalsByNumber, length: number): Readonly<PartTotal>[] {
    const candidates = [...since].map(([number, more]) => this.#with(number, more));
    let unchanged = 0;
    for (const total of this.#ordered.get(measure) ?? []) {
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

/** Sorts greatest first; equal ones by number, oldest name first. */
export function greatestFirst(measure: keyof PartFigures) {
  return (one: Readonly<PartTotal>, other: Readonly<PartTotal>) =>
    other[measure] - one[measure] || one.part - other.part;
}
