// What summaries keep in memory of a database between two answers. Invariant: its stamps are figures, and
// what a bucket is made of never changes without its figures, which only ever grow.

import type { Reader } from "#platform/store/store.ts";

import type { PastParts } from "./breakdown.ts";
import { figureNames } from "./figures.ts";
import type { BuyerCount, FigureRow, PartRow } from "./queries.ts";
import { Shelf } from "./shelf.ts";

/** Rows that are kept, of 100 bytes each: half a dozen periods of a shop with 20,000 variants. */
const PAST_ROWS_MAX = 150_000;
/** Of the hours of a day. */
const BUCKET_ROWS_MAX = 20_000;
const COUNTS_MAX = 200;

export interface Shelves {
  /** What periods came to before today. */
  readonly pasts: Shelf<PastParts>;
  /** What buckets of today are made of. */
  readonly buckets: Shelf<readonly PartRow[]>;
  /** Who bought in periods before today. */
  readonly buyers: Shelf<BuyerCount>;
  /** Pasts that somebody reads now, by name: everybody who waits for one waits for the same. */
  readonly preparing: Map<string, Promise<void>>;
}

const known = new WeakMap<Reader, Shelves>();

/** Those of a database, which is known by the Reader of its store. */
export function shelvesOf(db: Reader): Shelves {
  let shelves = known.get(db);
  if (shelves === undefined) {
    shelves = {
      pasts: new Shelf(PAST_ROWS_MAX),
      buckets: new Shelf(BUCKET_ROWS_MAX),
      buyers: new Shelf(COUNTS_MAX),
      preparing: new Map(),
    };
    known.set(db, shelves);
  }
  return shelves;
}

/** Two buckets of the same figures are made of the same. */
export function stampOf(buckets: readonly FigureRow[]): string {
  return buckets.map(stampOfOne).join();
}

function stampOfOne(row: FigureRow): string {
  return [row.scope, row.level, row.bucket, ...figureNames.map((name) => row[name])].join(" ");
}
