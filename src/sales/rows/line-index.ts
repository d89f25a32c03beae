// Writes the index of lines from the log of events, a batch after the other, each in the order of its terms: the pages
// of the table are then written once for a batch, where an index of the database is written once for an order.
// Invariant: the cursor moves with the last rows of a batch. A batch that ends early is written again.

import type { Database } from "#platform/database/database.ts";
import { findEventIdAt, lastSequence } from "#platform/event-log/event-log.ts";
import {
  findLogCursor,
  isStillNext,
  moveLogCursor,
  type ReadAhead,
} from "#platform/event-log/log-cursors.ts";
import type { Pace } from "#platform/scheduler/paced-work.ts";

import { CONSUMER, findLinesOfSpan, insertTerms, type TermPair } from "./line-index-queries.ts";

/** Events per read and pairs per commit: about 3 ms each, the longest that a request waits behind one. */
const EVENTS_PER_READ = 500;
const PAIRS_PER_COMMIT = 500;
/**
 * The most pairs of a batch: some 20,000 orders, sorted within 8 ms. The more wait, the more of them share a page, and
 * the fewer pages each of them costs: what falls behind becomes faster.
 */
const PAIRS_MAX = 80_000;

/**
 * Lists are exact without it and read what is not written yet from the log, so events may wait for a commit that is
 * worth it. Its commits wait with those of orders: of the time that it takes from a busy shop, little is work.
 */
export const lineIndexPace: Pace = { collectMs: 10_000, busyFactor: 1, busyMs: 0 };

interface Batch extends ReadAhead {
  /** The last sequence that is read. */
  to: number;
  /** The orders of each term. */
  readonly found: Map<string, Set<string>>;
  count: number;
}

/** The rest of a batch that is to be written. */
interface Sorted extends Pick<Batch, "from" | "to" | "until" | "lastId"> {
  readonly pairs: readonly TermPair[];
  written: number;
}

export class LineIndexWriter {
  readonly #database: Database;
  #batch: Batch | null = null;
  #sorted: Sorted | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads or writes the next part of a batch. Returns whether there may be more. */
  async step(): Promise<boolean> {
    try {
      return this.#sorted === null ? await this.#read() : await this.#write(this.#sorted);
    } catch (error) {
      this.#batch = this.#sorted = null;
      throw error;
    }
  }

  async #read(): Promise<boolean> {
    const { read } = this.#database;
    const batch = (this.#batch ??= await this.#begin());
    const until = Math.min(batch.to + EVENTS_PER_READ, batch.until);
    for (const line of await findLinesOfSpan(read, { after: batch.to, until })) {
      for (const term of [line.productId, line.sku]) {
        if (term !== null) addTo(batch, term, line.orderId);
      }
    }
    batch.to = until;
    if (until < batch.until && batch.count < PAIRS_MAX) return true;
    this.#batch = null;
    if (until === batch.from) return false;
    const { from, lastId } = batch;
    this.#sorted = {
      from,
      to: until,
      until: batch.until,
      lastId,
      pairs: sortedPairs(batch),
      written: 0,
    };
    return true;
  }

  async #begin(): Promise<Batch> {
    const { read } = this.#database;
    const from = await findLogCursor(read, CONSUMER);
    // Read before the lines: the cursor must not pass events that are committed in between.
    const until = Math.max(from, await lastSequence(read));
    const lastId = await findEventIdAt(read, until);
    return { from, to: from, until, lastId, found: new Map(), count: 0 };
  }

  async #write(sorted: Sorted): Promise<boolean> {
    const end = sorted.written + PAIRS_PER_COMMIT;
    const pairs = sorted.pairs.slice(sorted.written, end);
    const isLast = end >= sorted.pairs.length;
    const isCurrent = await this.#database.write(async (tx) => {
      if (!(await isStillNext(tx, CONSUMER, sorted))) return false;
      if (pairs.length > 0) await insertTerms(tx, pairs);
      if (isLast) await moveLogCursor(tx, CONSUMER, sorted);
      return true;
    });
    sorted.written = end;
    if (isLast || !isCurrent) this.#sorted = null;
    return true;
  }
}

function addTo(batch: Batch, term: string, orderId: string): void {
  const orders = batch.found.get(term);
  if (orders?.has(orderId) === true) return;
  if (orders === undefined) batch.found.set(term, new Set([orderId]));
  else orders.add(orderId);
  batch.count += 1;
}

function sortedPairs({ found }: Batch): TermPair[] {
  return [...found.keys()].toSorted().flatMap((term) => {
    const orders = [...(found.get(term) ?? [])].toSorted();
    return orders.map((orderId): TermPair => [term, orderId]);
  });
}
