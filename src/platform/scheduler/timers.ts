// Timers: work that is due later on the shop's clock, stored as rows. Invariant: a timer's effect
// happens once, also after a crash, and never before its due time.

import { nextTurn, toIsoOrNull } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { type Mode, modes, type Shop } from "#platform/database/shop.ts";

import { type Leader, soleLeader } from "./leader-election.ts";
import {
  dropTimer,
  findDueTime,
  findFirstOfEach,
  findFirstTimers,
  putTimer,
  type TimerRow,
} from "./timer-queries.ts";
import {
  type Fired,
  type LastRun,
  Queues,
  TimerWorks,
  type TimerWorksOptions,
} from "./timer-work.ts";

/** The longest sleep: timers that another program's clock made due are found by then. */
const SLEEP_MS_MAX = 60_000;
/** Commits within this time cause one wake, milliseconds. */
const WAKE_MS = 20;
/** Timers read at once: few are due at most times, hundreds while a queue is slow. */
const READ_AT_ONCE = 20;
/** The status of the timers of one name. */
interface TimerStatus extends LastRun {
  readonly name: string;
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

interface TimerRunnerOptions<S extends Shop = Shop> extends TimerWorksOptions<S> {
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

/** Returns true if the timer is set: its work is not done yet. */
export async function isTimerSet(db: Reader, name: string, subject: string): Promise<boolean> {
  return (await findDueTime(db, name, subject)) !== null;
}

/** When the timer is due; null if it is not set. */
export function dueTimeOf(db: Reader, name: string, subject: string): Promise<number | null> {
  return findDueTime(db, name, subject);
}

/**
 * Sets the timer, or clears it if `dueAt` is null. A timer that was set after its due time was read as `seen`
 * stays: what it announces came too late for the work that read it.
 */
export async function planTimer(
  tx: Tx,
  timer: { readonly name: string; readonly subject: string; readonly dueAt: number | null },
  seen: number | null,
): Promise<void> {
  const { name, subject, dueAt } = timer;
  const current = await findDueTime(tx, name, subject);
  if (current !== null && current !== seen) return;
  if (dueAt === null) await clearTimer(tx, name, subject);
  else await setTimer(tx, { name, subject, dueAt });
}

/**
 * Fires timers ordered by due time, then name, then subject: those of a queue beside the others, as far as the
 * queue has room, all others one at a time.
 */
export class TimerRunner<S extends Shop = Shop> {
  readonly #shop: S;
  readonly #works: TimerWorks<S>;
  readonly #onFault: TimerRunnerOptions["onFault"];
  readonly #leader: Leader;
  readonly #queues = new Queues();
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
    this.#works = new TimerWorks({ shop, timers, onFault });
    this.#onFault = onFault;
    this.#leader = leader;
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

  /** Stops firing; resolves when the running timers have ended. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#alarm);
    await this.#turns;
    await this.#queues.allEnded();
  }

  /** Fires all timers due by now and returns them in the order in which they ended. */
  async fireDue(): Promise<Fired[]> {
    const fired: Fired[] = [];
    for (;;) {
      // A timer that ends meanwhile makes room for timers that were passed over.
      const { ended } = this.#queues;
      const isAnyFired = await this.#inTurn(() => this.#startDue(fired, () => true));
      if (!isAnyFired && this.#queues.isIdle && this.#queues.ended === ended) return fired;
      await this.#queues.moreEnded(ended);
      await nextTurn();
    }
  }

  /** The shop's time at which the next timer is due; null if there is none. */
  async nextDueAt(): Promise<number | null> {
    return (await this.#findFirst())?.dueAt ?? null;
  }

  /** The status of each name. */
  async status(): Promise<TimerStatus[]> {
    const next = await findFirstOfEach(this.#shop.database.read, this.#works.names);
    return this.#works.names.map((name) => ({
      name,
      ...this.#works.lastRunOf(name),
      nextRunAt: next.get(name) ?? null,
    }));
  }

  /**
   * Runs the work once earlier exclusive uses and what runs in queues have ended; until it ends, only the work
   * itself fires timers, one at a time.
   */
  exclusively<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const turn: Turn = {
      nextDue: (by) => this.#nextDue(by),
      fire: (due) => this.#works.fire(due),
      isOver: () => this.#state === "stopped",
    };
    return this.#inTurn(async () => {
      await this.#queues.allEnded();
      return work(turn);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => undefined);
    return done;
  }

  /**
   * Fires what is due in order, and starts what has room in its queue; what has none is left as it is. Returns
   * whether anything was fired or started, and adds to `fired` what happened, also after it returned.
   */
  async #startDue(fired: Fired[], isLeader: () => boolean): Promise<boolean> {
    let isAnyFired = false;
    let last: TimerRow | null = null;
    for (;;) {
      const rows = await this.#dueAfter(last);
      if (rows.length === 0) return isAnyFired;
      for (const due of rows) {
        if (this.#state === "stopped" || !isLeader()) return isAnyFired;
        last = due;
        const started = await this.#start(due, fired);
        if (started !== "waits") isAnyFired = true;
        // It may have set timers that are due before the next row.
        if (started === "fired") break;
      }
      // Thousands may wait for a slow gateway: requests are answered meanwhile.
      await nextTurn();
    }
  }

  /** The next timers that are due now, after the given one. */
  async #dueAfter(after: TimerRow | null): Promise<TimerRow[]> {
    const { database, clock } = this.#shop;
    const rows = await findFirstTimers(database.read, this.#works.names, {
      after,
      rows: READ_AT_ONCE,
    });
    const now = clock.now();
    this.#nextAt = rows.find(({ dueAt }) => dueAt > now)?.dueAt ?? Infinity;
    return rows.filter(({ dueAt }) => dueAt <= now);
  }

  async #start(due: TimerRow, fired: Fired[]): Promise<"fired" | "started" | "waits"> {
    const key = `${due.name} ${due.subject}`;
    if (this.#queues.isRunning(key)) return "waits";
    const queue = await this.#works.queueOf(due);
    if (queue === null) {
      const one = await this.#works.fire(due);
      if (one !== null) fired.push(one);
      return "fired";
    }
    if (!this.#queues.hasRoom(queue)) return "waits";
    this.#queues.start(key, queue, async () => {
      try {
        const one = await this.#works.fire(due);
        if (one !== null) fired.push(one);
      } catch (error) {
        this.#onFault(due.name, error);
      }
      this.wake();
    });
    return "started";
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
      await this.#inTurn(() => this.#startDue([], () => this.#leader.isLeader()));
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
    const first = await this.#findFirst();
    return first === undefined || first.dueAt > by ? null : first;
  }

  async #findFirst(): Promise<TimerRow | undefined> {
    return (await findFirstTimers(this.#shop.database.read, this.#works.names, { rows: 1 }))[0];
  }
}

/** The status of a kind of timer, for monitoring. The errors themselves are in the log. */
interface TimerReport {
  readonly mode: Mode;
  readonly name: string;
  /** On the shop's clock, since the program started. */
  readonly last_run: string | null;
  readonly next_run: string | null;
  readonly failing: boolean;
}

/** The status of every kind of timer of both shops. */
export async function timerStatus(
  runners: Readonly<Record<Mode, Pick<TimerRunner, "status">>>,
): Promise<TimerReport[]> {
  const statuses = modes.map(async (mode) =>
    (await runners[mode].status()).map((status) => ({
      mode,
      name: status.name,
      last_run: toIsoOrNull(status.lastRunAt),
      next_run: toIsoOrNull(status.nextRunAt),
      failing: status.lastError !== null,
    })),
  );
  return (await Promise.all(statuses)).flat();
}
