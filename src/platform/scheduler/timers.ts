// Timers of the shop: what happens later, on the shop's clock, as rows of the store. Invariant: what
// a timer stands for happens once, whatever crashes meanwhile, and never before its time.

import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";

import { alone, type Leader } from "./leader-election.ts";
import {
  dropTimer,
  findFirstOfEach,
  findFirstTimer,
  moveTimer,
  postponeTimer,
  putTimer,
  type SeenTimer,
  takeTimer,
  type TimerRow,
} from "./timer-queries.ts";

/** How long a workflow has before it is taken for lost and runs again, milliseconds. */
const LEASE_MS = 60_000;
/** The wait after the first failure; it doubles with each further one, up to the second figure. */
const RETRY_MS_MIN = 60_000;
const RETRY_MS_MAX = 3_600_000;
/** The longest sleep: what another clock made due is seen by then. */
const SLEEP_MS_MAX = 60_000;
/** Commits that come within this time wake the runner once, milliseconds. */
const WAKE_MS = 20;
/** Characters of an error that are kept. */
const ERROR_LENGTH_MAX = 500;

/** Something that happens in one transaction, together with the end of its timer. */
export interface TimerStory {
  readonly name: string;
  run(tx: Tx, subject: string): Promise<void>;
}

/**
 * Something that calls the world. It sets its timer anew or clears it; where it did neither, or the
 * program ended on the way, it runs again a minute later.
 */
export interface TimerWorkflow<S extends Shop = Shop> {
  readonly name: string;
  readonly runWith: (shop: S, subject: string) => Promise<void>;
}

export type TimerWork<S extends Shop = Shop> = TimerStory | TimerWorkflow<S>;

/** Something that happened, and the shop's time when it did. */
export interface Fired {
  readonly at: number;
  readonly name: string;
  readonly subject: string;
}

/** How it stands with the timers of one name. */
export interface TimerStatus {
  readonly name: string;
  /** Since the program started. */
  readonly lastRunAt: number | null;
  /** Of the last run; null where it went well. */
  readonly lastError: string | null;
  readonly nextRunAt: number | null;
}

/** Whoever has it is alone: nothing else fires meanwhile. */
export interface Turn {
  /** The timer that is due first, if it is due by then; none once the runner is told to stop. */
  nextDue(by: number): Promise<TimerRow | null>;
  /** Lets it happen; null where it failed, or was cleared or set anew meanwhile. */
  fire(due: TimerRow): Promise<Fired | null>;
  isOver(): boolean;
}

export interface TimerRunnerOptions<S extends Shop = Shop> {
  readonly shop: S;
  readonly timers: readonly TimerWork<S>[];
  readonly onFault: (name: string, error: unknown) => void;
  /** Whose it is to look for what is due; ours where nothing is said. */
  readonly leader?: Leader;
}

/** Afterwards the timer is due at that time of the shop; there is one per name and subject. */
export async function setTimer(
  tx: Tx,
  timer: { readonly name: string; readonly subject: string; readonly dueAt: number },
): Promise<void> {
  await putTimer(tx, timer);
  tx.wake();
}

/** Afterwards there is no such timer. */
export async function clearTimer(tx: Tx, name: string, subject: string): Promise<void> {
  await dropTimer(tx, name, subject);
}

/** Lets timers happen one at a time, in the order of their due time, then name, then subject. */
export class TimerRunner<S extends Shop = Shop> {
  readonly #shop: S;
  readonly #works: ReadonlyMap<string, TimerWork<S>>;
  readonly #names: readonly string[];
  readonly #onFault: TimerRunnerOptions["onFault"];
  readonly #leader: Leader;
  readonly #runs = new Map<string, Pick<TimerStatus, "lastRunAt" | "lastError">>();
  /** Ends with the last turn that was asked for. */
  #turns: Promise<unknown> = Promise.resolve();
  #state: "new" | "running" | "stopped" = "new";
  #unsubscribe: readonly (() => void)[] = [];
  #alarm: NodeJS.Timeout | undefined;
  /** When something is due next, as it was seen last; Infinity where nothing is. */
  #nextAt = Infinity;
  #isLooking = false;
  #isCalled = false;

  constructor({ shop, timers, onFault, leader = alone }: TimerRunnerOptions<S>) {
    this.#shop = shop;
    this.#works = new Map(timers.map((work) => [work.name, work]));
    this.#names = timers.map((work) => work.name);
    this.#onFault = onFault;
    this.#leader = leader;
    if (this.#works.size < timers.length) throw new Error("Two timers have the same name.");
  }

  /** From now on timers happen when they are due, wherever it is ours to look. */
  start(): void {
    if (this.#state !== "new") throw new Error("Timers are started once.");
    this.#state = "running";
    this.#unsubscribe = [
      this.#shop.database.onAnnounced(() => this.wake()),
      this.#leader.onGained(() => this.wake()),
    ];
    this.wake();
  }

  /** Looks soon whether something is due: the clock was moved, or a timer was set. */
  wake(): void {
    if (this.#state !== "running" || this.#isCalled || !this.#leader.isLeader()) return;
    this.#isCalled = true;
    if (!this.#isLooking) this.#sleep(WAKE_MS);
  }

  /** Nothing begins to happen any more; resolves when what happens now is through. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#alarm);
    await this.#turns;
  }

  /** Lets everything happen that is due by now, and tells what it was. */
  fireDue(): Promise<Fired[]> {
    return this.#fireWhile(() => true);
  }

  /** The shop's time at which something is due next; null where nothing is. */
  async nextDueAt(): Promise<number | null> {
    return (await findFirstTimer(this.#shop.database.read, this.#names))?.dueAt ?? null;
  }

  /** How it stands with each name. */
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

  /** Does the work when its turn comes; nothing fires meanwhile but what it fires itself. */
  alone<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
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
    return this.alone(async (turn) => {
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
    this.#alarm = setTimeout(() => void this.#look(), milliseconds);
    this.#alarm.unref();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#isCalled = false;
    let sleepMs = SLEEP_MS_MAX;
    try {
      await this.#fireWhile(() => this.#leader.isLeader());
      // What is set after that was seen calls for another look.
      if (this.#leader.isLeader())
        sleepMs = Math.min(this.#nextAt - this.#shop.clock.now(), SLEEP_MS_MAX);
    } catch (error) {
      this.#onFault("timers", error);
    }
    this.#isLooking = false;
    if (this.#state === "running")
      this.#sleep(this.#isCalled ? WAKE_MS : Math.max(sleepMs, WAKE_MS));
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

  /** Moves a workflow's timer ahead, so that after a crash it is still there, but not at once. */
  async #claim(due: SeenTimer): Promise<SeenTimer | null> {
    const { name, subject } = due;
    const until = this.#shop.clock.now() + LEASE_MS;
    const isTaken = await this.#shop.database.write((tx) => moveTimer(tx, due, until));
    return isTaken ? { name, subject, dueAt: until } : null;
  }

  /** The row goes first: what the story sets under its own name stays. */
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

/** The wait before the next attempt, after so many that failed before this one. */
function retryMs(failedBefore: number): number {
  return Math.min(RETRY_MS_MIN * 2 ** Math.min(failedBefore, 10), RETRY_MS_MAX);
}
