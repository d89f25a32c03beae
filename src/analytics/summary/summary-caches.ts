// Keeps in memory, between summaries, what they need again. Invariant: a cached value equals what reading it again
// would give. Its stamp is made of figures, which only grow, and parts never change without them.

import type { CustomerCount } from "#analytics/figures.ts";

import type { PastParts } from "./breakdown.ts";
import type { PartRow } from "./queries.ts";

/** A value, and its size in rows. */
export interface Sized<T> {
  readonly value: T;
  readonly rows: number;
}

interface Stamped<T> extends Sized<T> {
  readonly stamp: string;
}

/**
 * A cache that drops the least recently used values beyond a number of rows.
 * @internal Exported for its tests.
 */
export class SummaryCache<T> {
  readonly #rowsMax: number;
  /** The most recently used entry is the last. */
  readonly #entries = new Map<string, Stamped<T>>();
  #rows = 0;

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
  }

  /** True if there is a value at the key, with any stamp. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The value at the key with this stamp, made if it is missing. */
  async read(key: string, stamp: string, make: () => Promise<Sized<T>>): Promise<T> {
    const known = this.#entries.get(key);
    const entry = known?.stamp === stamp ? known : { ...(await make()), stamp };
    this.#put(key, entry);
    return entry.value;
  }

  /** Drops every value. */
  clear(): void {
    this.#entries.clear();
    this.#rows = 0;
  }

  /** Drops the least recently used entries, but never the new one, however large it is. */
  #put(key: string, entry: Stamped<T>): void {
    this.#drop(key);
    this.#entries.set(key, entry);
    this.#rows += entry.rows;
    for (const oldKey of this.#entries.keys()) {
      if (this.#rows <= this.#rowsMax || oldKey === key) break;
      this.#drop(oldKey);
    }
  }

  #drop(key: string): void {
    this.#rows -= this.#entries.get(key)?.rows ?? 0;
    this.#entries.delete(key);
  }
}

/** Rows of 100 bytes each: about six periods of a shop with 20,000 variants. */
const PAST_ROWS_MAX = 150_000;
const BUCKET_ROWS_MAX = 20_000;
const COUNTS_MAX = 200;

/** The caches of one shop. */
export class SummaryCaches {
  /** The parts of periods before today. */
  readonly pasts = new SummaryCache<PastParts>(PAST_ROWS_MAX);
  /** The parts of today's buckets. */
  readonly buckets = new SummaryCache<readonly PartRow[]>(BUCKET_ROWS_MAX);
  /** The customers of periods before today. */
  readonly customers = new SummaryCache<CustomerCount>(COUNTS_MAX);
  /** Pasts that are being read, by key: concurrent requests share one read. */
  readonly preparing = new Map<string, Promise<void>>();

  /** Drops every value, because the rows of the shop were replaced. */
  clear(): void {
    for (const cache of [this.pasts, this.buckets, this.customers]) cache.clear();
  }
}
