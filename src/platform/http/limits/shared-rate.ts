// Shares rate limits among programs on one database. Invariant: a window allows too many requests
// by at most what other programs admitted since the last exchange: half a second under traffic,
// plus the difference of clocks. Requests never wait for the database.

import { newRequestId } from "#kernel/id.ts";
import { type Clock, realClock, SECOND_MS } from "#kernel/time.ts";
import type { Database, Tx } from "#platform/database/database.ts";

import { addRateUse, deleteRateUses, findUsesOfOthers, type OthersUse } from "./rate-uses.ts";
import { type Elsewhere, rateWindowMs } from "./rate-window.ts";

/** Between two exchanges, milliseconds. */
const EXCHANGE_MS = 500;
/** The first exchange after an idle time comes early, because the others' counts are outdated. */
const FIRST_EXCHANGE_MS = 10;
/** How long rows are kept, allowing for clocks that differ. */
const RETENTION_MS = 2 * rateWindowMs;

export interface SharedRateTerms {
  readonly database: Database;
  /** Called once per outage of the database; requests continue. */
  readonly onFault: (error: unknown) => void;
  /** The machine's clock; replaced in tests. */
  readonly clock?: Clock;
}

/** The windows of one mode, by name: sends this program's counts and receives the others'. */
export class SharedRate implements AsyncDisposable {
  readonly #terms: SharedRateTerms;
  readonly #clock: Clock;
  /** Identifies this run of the program. */
  readonly #holder = newRequestId();
  /** Counts that were not sent yet, by second and window. */
  #unsent = new Map<string, OthersUse>();
  #others: ReadonlyMap<string, readonly OthersUse[]> = new Map();
  #alarm: NodeJS.Timeout | undefined;
  #exchanging: Promise<void> = Promise.resolve();
  #exchangedAt = -Infinity;
  #deleteAt = -Infinity;
  #isFailing = false;
  #isStopped = false;

  constructor(terms: SharedRateTerms) {
    this.#terms = terms;
    this.#clock = terms.clock ?? realClock;
  }

  /** Counts a request admitted here; it is sent with the next exchange. */
  admitted(window: string): void {
    const second = Math.floor(this.#clock.now() / SECOND_MS) * SECOND_MS;
    this.#count({ window, second, count: 1 });
    this.#exchangeSoon();
  }

  /** Requests that other programs admitted in the last minute, as of the last exchange. */
  elsewhere(window: string): Elsewhere {
    const now = this.#clock.now();
    let count = 0;
    let freesInMs = 0;
    for (const use of this.#others.get(window) ?? []) {
      // Counted to the end of its second, so that no request expires too early.
      const leftMs = use.second + SECOND_MS + rateWindowMs - now;
      // Ignores programs whose clocks are a minute ahead.
      if (leftMs <= 0 || leftMs > RETENTION_MS) continue;
      if (count === 0) freesInMs = Math.min(leftMs, rateWindowMs);
      count += use.count;
    }
    return { count, freesInMs };
  }

  /** Sends this program's counts and reads the others'. */
  async exchange(): Promise<void> {
    const sending = this.#unsent;
    this.#unsent = new Map();
    const now = this.#clock.now();
    this.#exchangedAt = now;
    const { database } = this.#terms;
    try {
      if (sending.size > 0)
        await database.write((tx) => this.#send(tx, [...sending.values()], now));
    } catch (error) {
      this.#retainUnsent(sending, now);
      throw error;
    }
    const since = { holder: this.#holder, since: now - rateWindowMs - SECOND_MS };
    this.#others = Map.groupBy(
      await findUsesOfOthers(database.read, since),
      ({ window }) => window,
    );
  }

  /** Sends the remaining counts. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#alarm);
    await this.#exchanging;
    if (this.#unsent.size > 0) await this.#tryExchange();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #send(tx: Tx, uses: readonly OthersUse[], now: number): Promise<void> {
    for (const use of uses) await addRateUse(tx, { ...use, holder: this.#holder });
    if (now < this.#deleteAt) return;
    this.#deleteAt = now + rateWindowMs;
    await deleteRateUses(tx, now - RETENTION_MS);
  }

  /** Counts that could not be sent are kept for the next exchange, unless they have expired. */
  #retainUnsent(sending: ReadonlyMap<string, OthersUse>, now: number): void {
    for (const use of sending.values()) if (use.second >= now - RETENTION_MS) this.#count(use);
  }

  #count(use: OthersUse): void {
    const key = `${use.second} ${use.window}`;
    const count = use.count + (this.#unsent.get(key)?.count ?? 0);
    this.#unsent.set(key, { ...use, count });
  }

  #exchangeSoon(): void {
    if (this.#alarm !== undefined || this.#isStopped) return;
    const isFirst = this.#clock.now() - this.#exchangedAt > 2 * EXCHANGE_MS;
    this.#alarm = setTimeout(
      () => {
        this.#exchanging = this.#tryExchange().then(() => {
          this.#alarm = undefined;
          if (this.#unsent.size > 0) this.#exchangeSoon();
        });
      },
      isFirst ? FIRST_EXCHANGE_MS : EXCHANGE_MS,
    );
    this.#alarm.unref();
  }

  async #tryExchange(): Promise<void> {
    try {
      await this.exchange();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#terms.onFault(error);
      this.#isFailing = true;
    }
  }
}
