// What summaries keep in memory of a database between two answers. Invariant: its stamps are figures, and
// what a bucket is made of never changes without its figures, which only ever grow.

import type { CustomerCount } from "#analytics/figures.ts";
import type { Reader } from "#platform/database/database.ts";

import type { PastParts } from "./breakdown.ts";
import type { PartRow } from "./queries.ts";
import { SummaryCache } from "./summary-cache.ts";

/** Rows that are kept, of 100 bytes each: half a dozen periods of a shop with 20,000 variants. */
const PAST_ROWS_MAX = 150_000;
/** Of the hours of a day. */
const BUCKET_ROWS_MAX = 20_000;
const COUNTS_MAX = 200;

const known = new WeakMap<Reader, SummaryCaches>();

export class SummaryCaches {
  /** What periods came to before today. */
  readonly pasts = new SummaryCache<PastParts>(PAST_ROWS_MAX);
  /** What buckets of today are made of. */
  readonly buckets = new SummaryCache<readonly PartRow[]>(BUCKET_ROWS_MAX);
  /** Who bought in periods before today. */
  readonly customers = new SummaryCache<CustomerCount>(COUNTS_MAX);
  /** Pasts that somebody reads now, by name: everybody who waits for one waits for the same. */
  readonly preparing = new Map<string, Promise<void>>();

  private constructor() {}

  /** Those of a database, which is known by the Reader of its store. */
  static of(db: Reader): SummaryCaches {
    const caches = known.get(db) ?? new SummaryCaches();
    known.set(db, caches);
    return caches;
  }
}
