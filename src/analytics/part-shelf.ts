// Parts of buckets as they were read last, kept in memory: most buckets of a period are over, and with
// many variants reading them anew is nearly all that a summary costs. Invariant: what is given is what
// is in the table, because a bucket's parts never change without its figures, which only ever grow.

import { findFirstSequence } from "#platform/store/event-log.ts";
import type { Reader } from "#platform/store/store.ts";

import type { BucketParts } from "./breakdown.ts";
import { figureNames, partKinds } from "./figures.ts";
import { columnsOf } from "./numbered-sums.ts";
import { type FigureRow, findParts } from "./queries.ts";

/** Rows that are kept, of 40 bytes each: two months of a shop with 20,000 variants. */
const ROWS_MAX = 400_000;
/** What a bucket takes beside its rows, in rows. */
const ROWS_OF_BUCKET = 32;

interface Kept {
  /** The figures that the bucket had. */
  readonly stamp: string;
  readonly parts: BucketParts;
  readonly rows: number;
}

const shelves = new WeakMap<Reader, PartShelf>();

/** Gives the parts of buckets. */
export class PartShelf {
  readonly #db: Reader;
  /** What was used last comes last. */
  readonly #kept = new Map<string, Kept>();
  #rows = 0;
  /** Where a shop begins anew, figures do too. */
  #beginning = 0;

  private constructor(db: Reader) {
    this.#db = db;
  }

  /** The shelf of a database, for one answer. */
  static async of(db: Reader): Promise<PartShelf> {
    let shelf = shelves.get(db);
    if (shelf === undefined) shelves.set(db, (shelf = new PartShelf(db)));
    shelf.#beginning = await findFirstSequence(db);
    return shelf;
  }

  /** The parts of the bucket whose figures these are; they are as new as the figures, or newer. */
  async read(figures: FigureRow): Promise<BucketParts> {
    const { scope, level, bucket } = figures;
    const key = `${this.#beginning} ${scope} ${level} ${bucket}`;
    const stamp = figureNames.map((name) => figures[name]).join(" ");
    const known = this.#kept.get(key);
    if (known !== undefined) this.#drop(key, known);
    const kept = known?.stamp === stamp ? known : await this.#find(figures, stamp);
    this.#keep(key, kept);
    return kept.parts;
  }

  async #find({ scope, level, bucket }: FigureRow, stamp: string): Promise<Kept> {
    const rows = await findParts(this.#db, { scope, level, bucket });
    const variants = columnsOf(rows.filter(({ kind }) => kind === partKinds.variant));
    const others = rows.filter(({ kind }) => kind !== partKinds.variant);
    return { stamp, parts: { variants, others }, rows: ROWS_OF_BUCKET + rows.length };
  }

  /** Room is made for it by what nobody used for longest. */
  #keep(key: string, kept: Kept): void {
    const other = this.#kept.get(key);
    if (other !== undefined) this.#drop(key, other);
    this.#kept.set(key, kept);
    this.#rows += kept.rows;
    for (const [oldKey, old] of this.#kept) {
      if (this.#rows <= ROWS_MAX) break;
      this.#drop(oldKey, old);
    }
  }

  #drop(key: string, kept: Kept): void {
    if (this.#kept.delete(key)) this.#rows -= kept.rows;
  }
}
