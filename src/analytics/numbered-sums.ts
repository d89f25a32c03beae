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

const sumNames = ["count", "units", "grossMinor", "netMinor"] as const;

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

/** What is added up over variants, or over the products that own them. */
export class NumberedSums {
  readonly #columns: PartColumns;
  /** The number that stands in the first place; numbers in use lie close to each other. */
  readonly #first: number;

  private constructor(first: number, length: number) {
    this.#first = first;
    this.#columns = {
      // Zero is nobody's number: where it stands, nothing was added.
      part: new Int32Array(length),
      owner: new Int32Array(length),
      count: new Float64Array(length),
      units: new Float64Array(length),
      grossMinor: new Float64Array(length),
      netMinor: new Float64Array(length),
    };
  }

  /** The variants of all these rows. */
  static ofVariants(all: readonly PartColumns[]): NumberedSums {
    const sums = NumberedSums.#spanning(all.map(({ part }) => part));
    for (const columns of all) sums.#add(columns, columns.part, columns.owner);
    return sums;
  }

  /** The products of these variants. */
  products(): NumberedSums {
    const { owner } = this.#columns;
    const sums = NumberedSums.#spanning([owner]);
    sums.#add(this.#columns, owner, null);
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

  static #spanning(numbers: readonly Int32Array[]): NumberedSums {
    let [first, last] = [Infinity, 0];
    for (const column of numbers) {
      for (const number of column) {
        if (number === 0) continue;
        if (number < first) first = number;
        if (number > last) last = number;
      }
    }
    return last === 0 ? new NumberedSums(0, 0) : new NumberedSums(first, last - first + 1);
  }

  /** Each row counts for the thing of that number; who owns it is told where anybody does. */
  #add(more: PartColumns, numbers: Int32Array, owners: Int32Array | null): void {
    const { part, owner } = this.#columns;
    const places = numbers.map((number) => (number === 0 ? -1 : number - this.#first));
    places.forEach((place, row) => {
      if (place < 0) return;
      part[place] = numbers[row] ?? 0;
      owner[place] = owners?.[row] ?? 0;
    });
    for (const name of sumNames) addColumn(this.#columns[name], more[name], places);
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

/** Adds each row to the sum in its place; below zero is nobody's. */
function addColumn(sums: Float64Array, more: Float64Array, places: Int32Array): void {
  for (let row = 0; row < places.length; row += 1) {
    const place = places[row] ?? -1;
    if (place >= 0) sums[place] = (sums[place] ?? 0) + (more[row] ?? 0);
  }
}
