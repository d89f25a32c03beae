// Figures of many things, by the numbers of their names, in columns: a shop may sell tens of thousands of
// variants a month, and an object for each would cost more than adding them up.

import { type PartKind, partKinds } from "./figures.ts";

/** Figures of one part of a kind, as they are told. */
export interface PartTotal {
  readonly kind: PartKind;
  readonly part: number;
  readonly owner: number;
  count: number;
  units: number;
  grossMinor: number;
  netMinor: number;
}

/** Rows of variants, one in each place of all columns. */
export interface PartColumns {
  readonly part: Int32Array;
  readonly owner: Int32Array;
  readonly count: Float64Array;
  readonly units: Float64Array;
  readonly grossMinor: Float64Array;
  readonly netMinor: Float64Array;
}

const columnNames = ["part", "owner", "count", "units", "grossMinor", "netMinor"] as const;

/** The rows as columns, in their order. */
export function columnsOf(rows: readonly PartTotal[]): PartColumns {
  return {
    part: Int32Array.from(rows, (row) => row.part),
    owner: Int32Array.from(rows, (row) => row.owner),
    count: Float64Array.from(rows, (row) => row.count),
    units: Float64Array.from(rows, (row) => row.units),
    grossMinor: Float64Array.from(rows, (row) => row.grossMinor),
    netMinor: Float64Array.from(rows, (row) => row.netMinor),
  };
}

/** Sums that nobody uses, of one answer or two: a megabyte for each would be garbage after each answer. */
const SPARE_MAX = 8;
const spare: NumberedSums[] = [];

/** What is added up over variants, or over the products that own them. */
export class NumberedSums {
  #columns = emptyColumns(0);
  /** The number that stands in the first place; numbers in use lie close to each other. */
  #first = 0;

  private constructor() {}

  /** Sums of nothing yet. */
  static take(): NumberedSums {
    return spare.pop() ?? new NumberedSums();
  }

  /** Afterwards another may take them; whoever did this looks at them no more. */
  release(): void {
    for (const name of columnNames) this.#columns[name].fill(0);
    if (spare.length < SPARE_MAX) spare.push(this);
  }

  /** Adds each row to the sum of its variant. */
  add(more: PartColumns): void {
    this.#addTo(more.part, more.owner, more);
  }

  /** The sums as rows; where a variant has none, a row of nobody's. */
  copy(): PartColumns {
    const { part, owner, count, units, grossMinor, netMinor } = this.#columns;
    return {
      part: part.slice(),
      owner: owner.slice(),
      count: count.slice(),
      units: units.slice(),
      grossMinor: grossMinor.slice(),
      netMinor: netMinor.slice(),
    };
  }

  /** The products of these variants. */
  products(): NumberedSums {
    const sums = NumberedSums.take();
    const { owner } = this.#columns;
    sums.#addTo(owner, new Int32Array(owner.length), this.#columns);
    return sums;
  }

  /** The greatest first, of equal ones the one that was heard of first. */
  best(by: "netMinor" | "units", length: number): PartTotal[] {
    const { part } = this.#columns;
    const values = this.#columns[by];
    const found: number[] = [];
    let least = -Infinity;
    for (let place = 0; place < part.length; place += 1) {
      const value = values[place] ?? 0;
      if (part[place] === 0 || (found.length === length && value <= least)) continue;
      const before = found.findIndex((other) => (values[other] ?? 0) < value);
      found.splice(before === -1 ? found.length : before, 0, place);
      found.length = Math.min(found.length, length);
      least = values[found.at(-1) ?? 0] ?? 0;
    }
    return found.map((place) => this.#at(place));
  }

  #addTo(numbers: Int32Array, owners: Int32Array, more: PartColumns): void {
    this.#makeRoom(numbers);
    const { part, owner } = this.#columns;
    for (let row = 0; row < numbers.length; row += 1) {
      const number = numbers[row] ?? 0;
      if (number === 0) continue;
      part[number - this.#first] = number;
      owner[number - this.#first] = owners[row] ?? 0;
    }
    const { count, units, grossMinor, netMinor } = this.#columns;
    addColumn(count, { more: more.count, numbers, first: this.#first });
    addColumn(units, { more: more.units, numbers, first: this.#first });
    addColumn(grossMinor, { more: more.grossMinor, numbers, first: this.#first });
    addColumn(netMinor, { more: more.netMinor, numbers, first: this.#first });
  }

  /** Afterwards there is a place for each of the numbers, and what was added stays. */
  #makeRoom(numbers: Int32Array): void {
    const [least, greatest] = spanOf(numbers);
    if (greatest === 0) return;
    const { length } = this.#columns.part;
    const [first, end] = length === 0 ? [least, least] : [this.#first, this.#first + length];
    if (least >= first && greatest < end) return;
    this.#first = Math.min(least, first);
    const columns = emptyColumns(Math.max(end, greatest + 1) - this.#first);
    for (const name of columnNames) columns[name].set(this.#columns[name], first - this.#first);
    this.#columns = columns;
  }

  #at(place: number): PartTotal {
    const { part, owner, count, units, grossMinor, netMinor } = this.#columns;
    return {
      kind: partKinds.variant,
      part: part[place] ?? 0,
      owner: owner[place] ?? 0,
      count: count[place] ?? 0,
      units: units[place] ?? 0,
      grossMinor: grossMinor[place] ?? 0,
      netMinor: netMinor[place] ?? 0,
    };
  }
}

/** Zero is nobody's number: where it stands, nothing was added. */
function emptyColumns(length: number): PartColumns {
  return {
    part: new Int32Array(length),
    owner: new Int32Array(length),
    count: new Float64Array(length),
    units: new Float64Array(length),
    grossMinor: new Float64Array(length),
    netMinor: new Float64Array(length),
  };
}

/** The least and the greatest of the numbers, both 0 where there is none. */
function spanOf(numbers: Int32Array): readonly [least: number, greatest: number] {
  let [least, greatest] = [0, 0];
  for (let row = 0; row < numbers.length; row += 1) {
    const number = numbers[row] ?? 0;
    if (number === 0) continue;
    if (least === 0 || number < least) least = number;
    if (number > greatest) greatest = number;
  }
  return [least, greatest];
}

interface Added {
  readonly more: Float64Array;
  readonly numbers: Int32Array;
  readonly first: number;
}

/** What is nobody's is left out: its place lies before the first. */
function addColumn(sums: Float64Array, { more, numbers, first }: Added): void {
  for (let row = 0; row < numbers.length; row += 1) {
    const place = (numbers[row] ?? 0) - first;
    if (place >= 0) sums[place] = (sums[place] ?? 0) + (more[row] ?? 0);
  }
}
