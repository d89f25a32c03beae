// What several programs over one database let through, so that a limit is one for all of them. Invariant:
// a window lets through at most what the others admitted since the last look too many, half a second
// while there is traffic (and as much more as clocks differ); nobody waits for the database.

import { newRequestId } from "#kernel/id.ts";
import { type Clock, realClock, SECOND_MS } from "#kernel/time.ts";
import type { Database, Tx } from "#platform/database/database.ts";

import { addRateUse, findUsesOfOthers, forgetRateUses, type OthersUse } from "./rate-uses.ts";
import { type Elsewhere, rateWindowMs } from "./rate-window.ts";

/** Between two looks, milliseconds. */
const LOOK_MS = 500;
/** The first look after a time without requests: what the others did meanwhile is not known. */
const FIRST_LOOK_MS = 10;
/** Seconds are kept so long, for clocks that differ. */
const KEPT_MS = 2 * rateWindowMs;

export interface SharedRateTerms {
  readonly database: Database;
  /** Told once for each time that the others cannot be asked; requests go on. */
  readonly onFault: (error: unknown) => void;
  /** The machine's; another one for tests. */
  readonly clock?: Clock;
}

/** One mode's windows, by name: what we let through goes out, what the others did comes in. */
export class SharedRate implements AsyncDisposable {
  readonly #terms: SharedRateTerms;
  readonly #clock: Clock;
  /** Which start of the program this is. */
  readonly #holder = newRequestId();
  /** What was not told yet: by window and second, joined. */
  #untold = new Map<string, OthersUse>();
  #others: ReadonlyMap<string, readonly OthersUse[]> = new Map();
  #alarm: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #lookedAt = -Infinity;
  #forgetAt = -Infinity;
  #isFailing = false;
  #isStopped = false;

  constructor(terms: SharedRateTerms) {
    this.#terms = terms;
    this.#clock = terms.clock ?? realClock;
  }

  /** Counts a request that was let through here; the others hear of it at the next look. */
  admitted(window: string): void {
    const second = Math.floor(this.#clock.now() / SECOND_MS) * SECOND_MS;
    this.#count({ window, second, count: 1 });
    this.#lookSoon();
  }

  /** What the others let through in the last minute, as far as it is known. */
  elsewhere(window: string): Elsewhere {
    const now = this.#clock.now();
    let count = 0;
    let freesInMs = 0;
    for (const use of this.#others.get(window) ?? []) {
      // To the end of its second, so that none is forgotten too early.
      const leftMs = use.second + SECOND_MS + rateWindowMs - now;
      // A clock that is a minute ahead is of no use to anybody.
      if (leftMs <= 0 || leftMs > KEPT_MS) continue;
      if (count === 0) freesInMs = Math.min(leftMs, rateWindowMs);
      count += use.count;
    }
    return { count, freesInMs };
  }

  /** Tells what was let through since the last time, and asks what the others did. */
  async look(): Promise<void> {
    const told = this.#untold;
    this.#untold = new Map();
    const now = this.#clock.now();
    this.#lookedAt = now;
    const { database } = this.#terms;
    try {
      if (told.size > 0) await database.write((tx) => this.#tell(tx, [...told.values()], now));
    } catch (error) {
      this.#tellLater(told, now);
      throw error;
    }
    const since = { holder: this.#holder, since: now - rateWindowMs - SECOND_MS };
    this.#others = Map.groupBy(
      await findUsesOfOthers(database.read, since),
      ({ window }) => window,
    );
  }

  /** Afterwards the others know everything that was let through. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#alarm);
    await this.#looking;
    if (this.#untold.size > 0) await this.#lookOrFail();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #tell(tx: Tx, uses: readonly OthersUse[], now: number): Promise<void> {
    for (const use of uses) await addRateUse(tx, { ...use, holder: this.#holder });
    if (now < this.#forgetAt) return;
    this.#forgetAt = now + rateWindowMs;
    await forgetRateUses(tx, now - KEPT_MS);
  }

  /** What the store did not take is told with the next; what nobody counts any more is not. */
  #tellLater(told: ReadonlyMap<string, OthersUse>, now: number): void {
    for (const use of told.values()) if (use.second >= now - KEPT_MS) this.#count(use);
  }

  #count(use: OthersUse): void {
    const key = `${use.second} ${use.window}`;
    const count = use.count + (this.#untold.get(key)?.count ?? 0);
    this.#untold.set(key, { ...use, count });
  }

  #lookSoon(): void {
    if (this.#alarm !== undefined || this.#isStopped) return;
    const isFirst = this.#clock.now() - this.#lookedAt > 2 * LOOK_MS;
    this.#alarm = setTimeout(
      () => {
        this.#looking = this.#lookOrFail().then(() => {
          this.#alarm = undefined;
          if (this.#untold.size > 0) this.#lookSoon();
        });
      },
      isFirst ? FIRST_LOOK_MS : LOOK_MS,
    );
    this.#alarm.unref();
  }

  async #lookOrFail(): Promise<void> {
    try {
      await this.look();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#terms.onFault(error);
      this.#isFailing = true;
    }
  }
}
