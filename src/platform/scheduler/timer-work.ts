// The work of timers: what runs when one fires, how one timer is fired, and in which queue. Invariants: a story's timer
// ends in the commit of its effect; a workflow's timer is moved on before it runs, so that a crash repeats it later;
// work that has no room in its queue is not started, so that it holds no claim while it waits.

import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";

import {
  findDueTime,
  moveTimer,
  postponeTimer,
  type SeenTimer,
  takeTimer,
  type TimerRow,
} from "./timer-queries.ts";

/** How long a workflow may run before it counts as lost and runs again, milliseconds. */
const LEASE_MS = 60_000;
/** The wait after the first failure; it doubles with each further one, up to the maximum. */
const RETRY_MS_MIN = 60_000;
const RETRY_MS_MAX = 3_600_000;
/** Characters of an error that are stored. */
const ERROR_LENGTH_MAX = 500;

/** Work in one transaction, which also deletes its timer. */
export interface TimerStory {
  readonly name: string;
  run(tx: Tx, subject: string): Promise<void>;
}

/** Returns true unless the timer was set again or cleared since it fired: then the work is done, or planned for later. */
export type IsStillDue = (tx: Tx) => Promise<boolean>;

/**
 * Work that calls other services. It must set its timer again or clear it; otherwise, and after a
 * crash, it runs again a minute later.
 */
export interface TimerWorkflow<S extends Shop = Shop> {
  readonly name: string;
  readonly runWith: (shop: S, subject: string, isStillDue: IsStillDue) => Promise<void>;
  /** The queue in which it runs beside other work; null, or none, runs it in the order of due times. */
  readonly queueOf?: (shop: S, subject: string) => Promise<Queue | null>;
}

export type TimerWork<S extends Shop = Shop> = TimerStory | TimerWorkflow<S>;

/** A timer that fired, with the shop's time. */
export interface Fired {
  readonly at: number;
  readonly name: string;
  readonly subject: string;
}

/** How the last run of a name went. */
export interface LastRun {
  /** Since the program started. */
  readonly lastRunAt: number | null;
  /** Null if it succeeded. */
  readonly lastError: string | null;
}

export interface TimerWorksOptions<S extends Shop> {
  readonly shop: S;
  readonly timers: readonly TimerWork<S>[];
  readonly onFault: (name: string, error: unknown) => void;
}

/** The kinds of timers that this program knows. */
export class TimerWorks<S extends Shop> {
  readonly names: readonly string[];
  readonly #shop: S;
  readonly #works: ReadonlyMap<string, TimerWork<S>>;
  readonly #onFault: TimerWorksOptions<S>["onFault"];
  readonly #runs = new Map<string, LastRun>();

  /** Throws if two kinds have one name. */
  constructor({ shop, timers, onFault }: TimerWorksOptions<S>) {
    this.#shop = shop;
    this.#works = new Map(timers.map((work) => [work.name, work]));
    this.#onFault = onFault;
    this.names = timers.map((work) => work.name);
    if (this.#works.size < timers.length)
      throw new Error("Two kinds of timers have the same name.");
  }

  lastRunOf(name: string): LastRun {
    return this.#runs.get(name) ?? { lastRunAt: null, lastError: null };
  }

  /** The queue in which the timer's work runs; null if it runs in the order of due times. */
  async queueOf({ name, subject }: TimerRow): Promise<Queue | null> {
    const work = this.#works.get(name);
    if (work === undefined || !("queueOf" in work) || work.queueOf === undefined) return null;
    return work.queueOf(this.#shop, subject);
  }

  /** Fires a timer; null if it failed, or was cleared or set again meanwhile. */
  async fire(due: TimerRow): Promise<Fired | null> {
    const work = this.#works.get(due.name);
    const at = this.#shop.clock.now();
    const seen = work !== undefined && "runWith" in work ? await this.#claim(due) : due;
    if (work === undefined || seen === null) return null;
    try {
      const happened = await this.#run(work, seen);
      this.#runs.set(due.name, { lastRunAt: at, lastError: null });
      return happened ? { at, name: due.name, subject: due.subject } : null;
    } catch (error) {
      this.#onFault(due.name, error);
      const lastError = String(error).slice(0, ERROR_LENGTH_MAX);
      this.#runs.set(due.name, { lastRunAt: at, lastError });
      const until = this.#shop.clock.now() + retryMs(due.attempts);
      await this.#shop.database.write((tx) => postponeTimer(tx, seen, { until, lastError }));
      return null;
    }
  }

  /**
   * Postpones a workflow's timer before it runs, so that it runs again after a crash, but not at
   * once.
   */
  async #claim(due: SeenTimer): Promise<SeenTimer | null> {
    const { name, subject } = due;
    const until = this.#shop.clock.now() + LEASE_MS;
    const isTaken = await this.#shop.database.write((tx) => moveTimer(tx, due, until));
    return isTaken ? { name, subject, dueAt: until } : null;
  }

  /** Deletes the row first, so that the story may set the same timer again. */
  async #run(work: TimerWork<S>, seen: SeenTimer): Promise<boolean> {
    if ("runWith" in work) {
      const { name, subject, dueAt } = seen;
      await work.runWith(
        this.#shop,
        subject,
        async (tx) => (await findDueTime(tx, name, subject)) === dueAt,
      );
      return true;
    }
    return this.#shop.database.write(async (tx) => {
      const isTaken = await takeTimer(tx, seen);
      if (isTaken) await work.run(tx, seen.subject);
      return isTaken;
    });
  }
}

/** The wait before the next attempt. */
function retryMs(failedBefore: number): number {
  return Math.min(RETRY_MS_MIN * 2 ** Math.min(failedBefore, 10), RETRY_MS_MAX);
}

export interface Queue {
  readonly name: string;
  /** How many of it may run at once. */
  readonly width: number;
  /** The thing that the work is about: work about one thing runs one at a time, in the order of due times. */
  readonly about: string;
}

export class Queues {
  /** The running work by its key. */
  readonly #running = new Map<string, Queue & { readonly done: Promise<void> }>();
  #ended = 0;

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** How much work has ended so far. */
  get ended(): number {
    return this.#ended;
  }

  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  hasRoom({ name, width, about }: Queue): boolean {
    const running = [...this.#running.values()].filter((one) => one.name === name);
    return running.length < width && running.every((one) => one.about !== about);
  }

  /** Runs the work, which must not throw. */
  start(key: string, queue: Queue, work: () => Promise<void>): void {
    const done = work().finally(() => {
      this.#running.delete(key);
      this.#ended += 1;
    });
    this.#running.set(key, { ...queue, done });
  }

  /** Resolves once more work has ended than the given number, at once if none runs. */
  async moreEnded(before: number): Promise<void> {
    if (!this.isIdle && this.#ended === before)
      await Promise.race([...this.#running.values()].map(({ done }) => done));
  }

  /** Resolves once all running work has ended. */
  async allEnded(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }
}
