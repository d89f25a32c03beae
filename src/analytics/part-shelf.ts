// What buckets are made of, as it was read last, kept in memory: nearly all of a period is over, and with
// many variants reading it anew is nearly all that a summary costs. Invariant: what is given is what
// is in the table, because a bucket's parts never change without its figures, which only ever grow.

import type { Reader } from "#platform/store/store.ts";

import { type BucketParts, PartSums } from "./breakdown.ts";
import { figureNames, partKinds } from "./figures.ts";
import { columnsOf } from "./numbered-sums.ts";
import { type FigureRow, findParts } from "./queries.ts";

/** Rows that are kept, of 40 bytes each: ten periods of a shop with 20,000 variants. */
const ROWS_MAX = 200_000;
/** What something takes beside its rows, in rows. */
const ROWS_OF_ENTRY = 32;

interface Kept {
  /** The figures that the buckets had. */
  readonly stamp: string;
  readonly parts: BucketParts;
  readonly rows: number;
}

/** Where figures were read. */
export interface FiguresSource {
  readonly db: Reader;
  /** The first sequence of the log: where a shop begins anew, figures do too. */
  readonly beginning: number;
}

const shelves = new WeakMap<Reader, PartShelf>();

/** Gives the parts of buckets. */
export class PartShelf {
  /** What was used last comes last. */
  readonly #kept = new Map<string, Kept>();
  #rows = 0;

  /** The shelf of a database, which is known by the Reader of its store. */
  static of(db: Reader): PartShelf {
    const known = shelves.get(db);
    if (known !== undefined) return known;
    const shelf = new PartShelf();
    shelves.set(db, shelf);
    return shelf;
  }

  /**
   * The parts of the buckets whose figures these are, added up; they are as new as the figures, or newer.
   * `between` is awaited between two buckets that must be read.
   */
  async read(
    { db, beginning }: FiguresSource,
    buckets: readonly FigureRow[],
    between: () => Promise<void> = async () => {},
  ): Promise<BucketParts> {
    const key = `${beginning} ${buckets.map(nameOf).join(" ")}`;
    const stamp = buckets.map(stampOf).join(" ");
    const known = this.#kept.get(key);
    if (known?.stamp === stamp) {
      this.#keep(key, known);
      return known.parts;
    }
    const parts = await sumOf(db, buckets, between);
    const rows = ROWS_OF_ENTRY * buckets.length + parts.variants.part.length + parts.others.length;
    this.#keep(key, { stamp, parts, rows });
    return parts;
  }

  /** Room is made for it by what nobody used for longest. */
  #keep(key: string, kept: Kept): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#rows += kept.rows;
    for (const oldKey of this.#kept.keys()) {
      if (this.#rows <= ROWS_MAX) break;
      this.#drop(oldKey);
    }
  }

  #drop(key: string): void {
    this.#rows -= this.#kept.get(key)?.rows ?? 0;
    this.#kept.delete(key);
  }
}

function nameOf({ scope, level, bucket }: FigureRow): string {
  return `${scope}/${level}/${bucket}`;
}

function stampOf(figures: FigureRow): string {
  return figureNames.map((name) => figures[name]).join(" ");
}

async function sumOf(
  db: Reader,
  buckets: readonly FigureRow[],
  between: () => Promise<void>,
): Promise<BucketParts> {
  const [only] = buckets;
  if (only !== undefined && buckets.length === 1) return findPartsOf(db, only);
  const sums = new PartSums();
  for (const bucket of buckets) {
    sums.add(await findPartsOf(db, bucket));
    await between();
  }
  return sums.parts();
}

async function findPartsOf(db: Reader, { scope, level, bucket }: FigureRow): Promise<BucketParts> {
  const rows = await findParts(db, { scope, level, bucket });
  return {
    variants: columnsOf(rows.filter(({ kind }) => kind === partKinds.variant)),
    others: rows.filter(({ kind }) => kind !== partKinds.variant),
  };
}
