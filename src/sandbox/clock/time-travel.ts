// Moves the clock of a test shop. Invariant: an offset is committed before the clock shows it, so that
// after a crash no row is dated later than now.

import { monotonicMs, nextTurn } from "#kernel/time.ts";
import type { Database, Story } from "#platform/database/database.ts";
import type { Advance, SandboxClock } from "#platform/database/shop.ts";
import { followOffset, type ShopClock } from "#platform/scheduler/shop-clock.ts";
import type { TimerRow } from "#platform/scheduler/timer-queries.ts";
import type { Fired } from "#platform/scheduler/timer-work.ts";
import type { TimerRunner, Turn } from "#platform/scheduler/timers.ts";

import { ClockLease } from "./clock-lease.ts";
import { clockMoving, requireLater } from "./clock.ts";

/** How long a request waits for its advance, or for a move under way and what is due before its jump, in real time. */
const WAIT_MS_MAX = 10_000;

interface TimeTravelOptions {
  readonly database: Database;
  readonly clock: ShopClock;
  readonly runner: Pick<TimerRunner, "exclusively" | "wake">;
  /** The other workers that act at times of the shop's clock. */
  readonly followers?: readonly Follower[];
  /** Receives errors that occur after the caller stopped waiting. */
  readonly onFault: (name: string, error: unknown) => void;
  readonly waitMsMax?: number;
}

/** A worker that follows the shop's events and acts at times of its own. */
export interface Follower {
  /** Its name in the log. */
  readonly name: string;
  /** True if its work waits for no other server: a jump of the clock waits for it, too. */
  readonly isLocal?: boolean;
  /** Resolves when none of its work is due or running, or `isOver` is true; returns what it did meanwhile. */
  settle(isOver: () => boolean): Promise<readonly Fired[]>;
  /** The shop's time at which it acts next; null if nothing is planned, or if it does not work now. */
  nextDueAt(): Promise<number | null>;
  /** The clock was moved: checks at once what is due. */
  wake(): void;
  /** The rows were replaced: forgets what it knew of them. */
  forget(): void;
}

interface Journey {
  readonly milliseconds: number;
  /** Grows as timers fire. */
  readonly fired: Fired[];
  /** True once the caller was told that the advance has not settled. */
  isAnswered: boolean;
}

/** The first thing due on a journey: a timer, or the work of the named follower. */
type Due =
  | { readonly at: number; readonly timer: TimerRow }
  | { readonly at: number; readonly follower: string };

/** The sandbox of a shop. Moves run one at a time, and wait for timers that are firing. */
export class TimeTravel implements SandboxClock {
  readonly #options: TimeTravelOptions;
  readonly #lease: ClockLease;
  /** Pending returns to another time: an advance under way stops for them. */
  #returning = 0;
  /** Moves that wait for their turn: an advance whose caller was answered stops for them. */
  #waiting = 0;

  constructor(options: TimeTravelOptions) {
    this.#options = options;
    this.#lease = new ClockLease(options.database);
  }

  get #followers(): readonly Follower[] {
    return this.#options.followers ?? [];
  }

  /** Makes the timers and all followers check what is due now. */
  #wake(): void {
    this.#options.runner.wake();
    for (const follower of this.#followers) follower.wake();
  }

  offsetMs(): number {
    return this.#options.clock.offsetMs;
  }

  async moveTo(instant: number): Promise<void> {
    const { clock, waitMsMax = WAIT_MS_MAX } = this.#options;
    const until = monotonicMs() + waitMsMax;
    await this.#inTime(async (turn) => {
      requireLater(instant, { now: clock.now(), pointer: "/now" });
      await this.#finishPresent(turn, until);
      // Real time passed meanwhile, and may have passed the instant.
      await this.#setOffset(Math.max(instant - this.#machineNow(), clock.offsetMs));
    });
    this.#wake();
  }

  async advance(milliseconds: number): Promise<Advance> {
    const { clock, onFault, waitMsMax = WAIT_MS_MAX } = this.#options;
    const journey: Journey = { milliseconds, fired: [], isAnswered: false };
    const travel = this.#exclusively((turn) => this.#travel(turn, journey));
    const arrived = await within(waitMsMax, travel);
    if (arrived === null) travel.catch((error: unknown) => onFault("advance", error));
    journey.isAnswered = true;
    return { now: clock.now(), fired: [...journey.fired], settled: arrived === true };
  }

  async returnToMachineTime(story?: Story<void>): Promise<void> {
    const { database, clock } = this.#options;
    await this.#returnBy(async () => {
      await database.write(async (tx) => {
        await story?.(tx);
        await this.#lease.reset(tx);
      });
      clock.runOn(0);
    });
  }

  async startAnewAt(instant: number, replace: () => Promise<void>): Promise<void> {
    await this.#returnBy(async () => {
      await replace();
      for (const follower of this.#followers) follower.forget();
      await this.#setOffset(instant - this.#machineNow());
    });
  }

  /** Runs work that returns to another time: an advance under way stops for it. */
  async #returnBy(work: () => Promise<void>): Promise<void> {
    this.#returning += 1;
    try {
      await this.#inTime(work);
    } finally {
      this.#returning -= 1;
    }
    this.#wake();
  }

  /**
   * Does what is due before a jump, such as emails of what has happened: after it they would be old news. What is still
   * due at the limit (`until`, monotonic), since it is too much or sets itself again, comes after the jump.
   */
  async #finishPresent(turn: Turn, until: number): Promise<void> {
    const { clock } = this.#options;
    const isOver = () => turn.isOver() || this.#returning > 0 || monotonicMs() > until;
    const local = this.#followers.filter(({ isLocal = false }) => isLocal);
    while (!isOver()) {
      await nextTurn();
      for (const follower of local) await follower.settle(isOver);
      const due = await turn.nextDue(clock.now());
      if (due === null) return;
      await turn.fire(due);
    }
  }

  /**
   * Runs a move in its turn. Refuses with `clock_moving` if the turn does not come in time: the move is not made later.
   */
  async #inTime(work: (turn: Turn) => Promise<void>): Promise<void> {
    const { waitMsMax = WAIT_MS_MAX } = this.#options;
    const turnOrEnd = Promise.withResolvers<void>();
    let state: "waits" | "began" | "refused" = "waits";
    const move = this.#exclusively(
      async (turn) => {
        if (state === "refused") return;
        state = "began";
        turnOrEnd.resolve();
        await work(turn);
      },
      () => state === "refused",
    );
    this.#waiting += 1;
    try {
      await within(waitMsMax, Promise.race([turnOrEnd.promise, move]));
    } finally {
      this.#waiting -= 1;
    }
    if (state !== "waits") return move;
    state = "refused";
    // It does nothing any more; only taking the lease of a closing shop could fail.
    move.catch(() => undefined);
    throw clockMoving({ headers: { "Retry-After": "1" } });
  }

  /**
   * Runs the work while no timer fires but those it fires, and no other move runs. Where programs share the shop it waits
   * for theirs until `isOver` is true.
   */
  #exclusively<T>(
    work: (turn: Turn) => Promise<T>,
    isOver: () => boolean = () => false,
  ): Promise<T> {
    const { database, clock, runner, onFault } = this.#options;
    return runner.exclusively(async (turn) => {
      await this.#lease.take(() => turn.isOver() || isOver());
      try {
        if (database.isShared) await followOffset(database, clock);
        return await work(turn);
      } finally {
        // A lease that cannot be released expires by itself.
        await this.#lease.release().catch((error: unknown) => onFault("clock", error));
      }
    });
  }

  /**
   * Goes from one due time to the next. Returns false if it stopped before the target: because the shop closed, for
   * another move, or because a follower names work that it does not do, which is logged.
   */
  async #travel(turn: Turn, journey: Journey): Promise<boolean> {
    const { milliseconds, fired } = journey;
    const { clock } = this.#options;
    const offsetMs = clock.offsetMs;
    const target = clock.now() + milliseconds;
    requireLater(target, { now: clock.now(), pointer: "/seconds" });
    const isOver = () =>
      turn.isOver() || this.#returning > 0 || (journey.isAnswered && this.#waiting > 0);
    let lap: Lap = { now: NaN, dueAt: NaN, fired: NaN };
    try {
      for (;;) {
        // SQLite answers without a turn of the event loop, so without this one nothing else would run meanwhile.
        await nextTurn();
        for (const follower of this.#followers) fired.push(...(await follower.settle(isOver)));
        if (isOver()) return false;
        const due = await this.#nextDue(turn, target);
        if (due === null) break;
        await this.#stopAt(due.at);
        const one = "timer" in due ? await turn.fire(due.timer) : null;
        if (one !== null) fired.push(one);
        const last = lap;
        lap = { now: clock.now(), dueAt: due.at, fired: fired.length };
        if ("follower" in due && isSameLap(lap, last)) return this.#giveUpOn(due.follower);
      }
      if (turn.isOver()) return false;
      // Real time passed meanwhile: the new offset reaches the target and is never below the old one.
      await this.#setOffset(Math.max(target - this.#machineNow(), offsetMs));
      return true;
    } finally {
      clock.runOn(clock.offsetMs);
    }
  }

  /** Logs that the follower would hold the clock for ever. */
  #giveUpOn(follower: string): false {
    this.#options.onFault("advance", new Error(`${follower} names work that it does not do.`));
    return false;
  }

  /** Finds what is due first by then. */
  async #nextDue(turn: Turn, by: number): Promise<Due | null> {
    const timer = await turn.nextDue(by);
    if (turn.isOver()) return null;
    let first: Due | null = timer === null ? null : { at: timer.dueAt, timer };
    for (const follower of this.#followers) {
      const at = await follower.nextDueAt();
      if (at !== null && at <= by && at < (first?.at ?? Infinity)) {
        first = { at, follower: follower.name };
      }
    }
    return first;
  }

  /** Stops the clock at the instant, or at now if that has passed: the clock never goes back. */
  async #stopAt(instant: number): Promise<void> {
    const { clock } = this.#options;
    const now = clock.now();
    if (instant > now) await this.#save(instant - this.#machineNow());
    clock.standAt(Math.max(instant, now));
  }

  async #setOffset(offsetMs: number): Promise<void> {
    this.#options.clock.runOn(await this.#save(offsetMs));
  }

  #save(offsetMs: number): Promise<number> {
    return this.#options.database.write((tx) => this.#lease.save(tx, offsetMs));
  }

  #machineNow(): number {
    const { clock } = this.#options;
    return clock.now() - clock.offsetMs;
  }
}

/** Returns the result of the work, or null if it takes longer. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const alarm = setTimeout(() => resolve(null), milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(alarm);
  }
}

interface Lap {
  readonly now: number;
  readonly dueAt: number;
  /** The number of timers and attempts so far. */
  readonly fired: number;
}

/** Returns true if the lap changed nothing. */
function isSameLap(lap: Lap, last: Lap): boolean {
  return lap.now === last.now && lap.dueAt === last.dueAt && lap.fired === last.fired;
}
