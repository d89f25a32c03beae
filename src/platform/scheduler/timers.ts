// Timers: work that is due later on the shop's clock, stored as rows. Invariant: a timer's effect
// happens once, also after a crash, and never before its due time.

import type { Reader, Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";

import { type Leader, soleLeader } from "./leader-election.ts";
import {
  dropTimer,
  findFirstOfEach,
  findFirstTimer,
  hasTimer,
  moveTimer,
  postponeTimer,
  putTimer,
  type SeenTimer,
  takeTimer,
  type TimerRow,
} from "./timer-queries.ts";

/** How long a workflow may run before it counts as lost and runs again, milliseconds. */
const LEASE_MS = 60_000;
/** The wait after the first failure; it doubles with each further one, up to the maximum. */
const RETRY_MS_MIN = 60_000;
const RETRY_MS_MAX = 3_600_000;
/** The longest sleep: timers that another program's clock made due are found by then. */
const SLEEP_MS_MAX = 60_000;
/** Commits within this time cause one wake, milliseconds. */
const WAKE_MS = 20;
/** Characters of an error that are stored. */
const ERROR_LENGTH_MAX = 500;

/** Work in one transaction, which also deletes its timer. */
export interface TimerStory {
  readonly name: string;
  run(tx: Tx, subject: string): Promise<void>;
}

/**
 * Work that calls other services. It must set its timer again or clear it; otherwise, and after a
 * crash, it runs again a minute later.
 */
export interface TimerWorkflow<S extends Shop = Shop> {
  readonly name: string;
  readonly runWith: (shop: S, subject: string) => Promise<void>;
}

export type TimerWork<S extends Shop = Shop> = TimerStory | TimerWorkflow<S>;

/** A timer that fired, with the shop's time. */
export interface Fired {
  readonly at: number;
  readonly name: string;
  readonly subject: string;
}

/** The status of the timers of one name. */
export interface TimerStatus {
  readonly name: string;
  /** Since the program started. */
  readonly lastRunAt: number | null;
  /** Of the last run; null if it succeeded. */
  readonly lastError: string | null;
  readonly nextRunAt: number | null;
}

/** Exclusive use of the runner: nothing else fires meanwhile. */
export interface Turn {
  /** The timer due first, if it is due by then; null once the runner is stopped. */
  nextDue(by: number): Promise<TimerRow | null>;
  /** Fires a timer; null if it failed, or was cleared or set again meanwhile. */
  fire(due: TimerRow): Promise<Fired | null>;
  isOver(): boolean;
}

export interface TimerRunnerOptions<S extends Shop = Shop> {
  readonly shop: S;
  readonly timers: readonly TimerWork<S>[];
  readonly onFault: (name: string, error: unknown) => void;
  /** Only the leader fires timers; by default this program is the leader. */
  readonly leader?: Leader;
}

/** Sets a timer; there is one per name and subject, so an earlier due time is replaced. */
export async function setTimer(
  tx: Tx,
  timer: { readonly name: string; readonly subject: string; readonly dueAt: number },
): Promise<void> {
  await putTimer(tx, timer);
  tx.wake();
}

/** Clears the timer, if it is set. */
export async function clearTimer(tx: Tx, name: string, subject: string): Promise<void> {
  await dropTimer(tx, name, subject);
}

/** Whether the timer is set: its work is not done yet. */
export function isTimerSet(db: Reader, name: string, subject: string): Promise<boolean> {
  return hasTimer(db, name, subject);
}

/** Fires timers one at a time, ordered by due time, then name, then subject. */
export class TimerRunner<S extends Shop = Shop> {
  readonly #shop: S;
  readonly #works: ReadonlyMap<string, TimerWork<S>>;
  readonly #names: readonly string[];
  readonly #onFault: TimerRunnerOptions["onFault"];
  readonly #leader: Leader;
  readonly #runs = new Map<string, Pick<TimerStatus, "lastRunAt" | "lastError">>();
  /** Resolves after the last exclusive use that was requested. */
  #turns: Promise<unknown> = Promise.resolve();
  #state: "new" | "running" | "stopped" = "new";
  #unsubscribe: readonly (() => void)[] = [];
  #alarm: NodeJS.Timeout | undefined;
  /** The due time of the next timer when it was last read; Infinity if there is none. */
  #nextAt = Infinity;
  #isPolling = false;
  #isWakeRequested = false;

  constructor({ shop, timers, onFault, leader = soleLeader }: TimerRunnerOptions<S>) {
    this.#shop = shop;
    this.#works = new Map(timers.map((work) => [work.name, work]));
    this.#names = timers.map((work) => work.name);
    this.#onFault = onFault;
    this.#leader = leader;
    if (this.#works.size < timers.length)
      throw new Error("Two kinds of timers have the same name.");
  }

  /** Starts firing timers while this program leads. */
  start(): void {
    if (this.#state !== "new") throw new Error("The timers can only be started once.");
    this.#state = "running";
    this.#unsubscribe = [
      this.#shop.database.onAnnounced(() => this.wake()),
      this.#leader.onGained(() => this.wake()),
    ];
    this.wake();
  }

  /** Checks for due timers soon, because the clock was moved or a timer was set. */
  wake(): void {
    if (this.#state !== "running" || this.#isWakeRequested || !this.#leader.isLeader()) return;
    this.#isWakeRequested = true;
    if (!this.#isPolling) this.#sleep(WAKE_MS);
  }

  /** Stops firing; resolves when the running timer has ended. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#alarm);
    await this.#turns;
  }

  /** Fires all timers due by now and returns them. */
  fireDue(): Promise<Fired[]> {
    return this.#fireWhile(() => true);
  }

  /** The shop's time at which the next timer is due; null if there is none. */
  async nextDueAt(): Promise<number | null> {
    return (await findFirstTimer(this.#shop.database.read, this.#names))?.dueAt ?? null;
  }

  /** The status of each name. */
  async status(): Promise<TimerStatus[]> {
    const next = await findFirstOfEach(this.#shop.database.read);
    return this.#names.map((name) => ({
      name,
      lastRunAt: null,
      lastError: null,
      ...this.#runs.get(name),
      nextRunAt: next.get(name) ?? null,
    }));
  }

  /**
   * Runs the work once earlier exclusive uses have ended; until it ends, only the work itself fires
   * timers.
   */
  exclusively<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const turn: Turn = {
      nextDue: (by) => this.#nextDue(by),
      fire: (due) => this.#fire(due),
      isOver: () => this.#state === "stopped",
    };
    const done = this.#turns.then(() => work(turn));
    this.#turns = done.catch(() => undefined);
    return done;
  }

  #fireWhile(isLeader: () => boolean): Promise<Fired[]> {
    return this.exclusively(async (turn) => {
      const fired: Fired[] = [];
      while (isLeader()) {
        const due = await turn.nextDue(this.#shop.clock.now());
        if (due === null) break;
        const one = await turn.fire(due);
        if (one !== null) fired.push(one);
      }
      return fired;
    });
  }

  #sleep(milliseconds: number): void {
    clearTimeout(this.#alarm);
    this.#alarm = setTimeout(() => void this.#poll(), milliseconds);
    this.#alarm.unref();
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    this.#isWakeRequested = false;
    let sleepMs = SLEEP_MS_MAX;
    try {
      await this.#fireWhile(() => this.#leader.isLeader());
      // A timer set after this read wakes the runner again.
      if (this.#leader.isLeader())
        sleepMs = Math.min(this.#nextAt - this.#shop.clock.now(), SLEEP_MS_MAX);
    } catch (error) {
      this.#onFault("timers", error);
    }
    this.#isPolling = false;
    if (this.#state === "running")
      this.#sleep(this.#isWakeRequested ? WAKE_MS : Math.max(sleepMs, WAKE_MS));
  }

  async #nextDue(by: number): Promise<TimerRow | null> {
    if (this.#state === "stopped") return null;
    const first = await findFirstTimer(this.#shop.database.read, this.#names);
    this.#nextAt = first?.dueAt ?? Infinity;
    return first === undefined || first.dueAt > by ? null : first;
  }

  async #fire(due: TimerRow): Promise<Fired | null> {
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
      await work.runWith(this.#shop, seen.subject);
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
