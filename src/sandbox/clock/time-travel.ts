// Moving the clock of a test shop. Invariant: an offset is on the disk before the clock shows it, so
// that after a crash nothing was written later than now.

import type { Database, Story } from "#platform/database/database.ts";
import type { Advance, Sandbox } from "#platform/database/shop.ts";
import { followOffset } from "#platform/scheduler/clock-follower.ts";
import type { ShopClock } from "#platform/scheduler/shop-clock.ts";
import type { TimerRow } from "#platform/scheduler/timer-queries.ts";
import type { Fired, TimerRunner, Turn } from "#platform/scheduler/timers.ts";

import { ClockLease } from "./clock-lease.ts";
import { requireLater } from "./clock.ts";

/** How long an advance is waited for, in real time. */
const WAIT_MS_MAX = 10_000;

export interface TimeTravelOptions {
  readonly database: Database;
  readonly clock: ShopClock;
  readonly runner: Pick<TimerRunner, "alone" | "wake">;
  /** Who else lets something happen at its time. */
  readonly followers?: readonly Follower[];
  /** Told what went wrong after the caller had stopped waiting. */
  readonly onFault: (name: string, error: unknown) => void;
  readonly waitMsMax?: number;
}

/** Whoever follows what happens in the shop, and acts at times of its own. */
export interface Follower {
  /** Resolves when nothing of it is due or under way; tells what happened meanwhile. */
  settle(): Promise<readonly Fired[]>;
  /** The shop's time at which it acts next; null where it has no reason to. */
  nextDueAt(): Promise<number | null>;
  /** The clock was moved: looks at once what is due. */
  wake(): void;
}

interface Journey {
  readonly milliseconds: number;
  /** Grows on the way. */
  readonly fired: Fired[];
}

/** The sandbox of a shop. Its moves wait for each other, and for what is happening. */
export class TimeTravel implements Sandbox {
  readonly #options: TimeTravelOptions;
  readonly #lease: ClockLease;
  /** How many want the machine's time back: whoever is on the way need not arrive. */
  #returning = 0;

  constructor(options: TimeTravelOptions) {
    this.#options = options;
    this.#lease = new ClockLease(options.database);
  }

  get #followers(): readonly Follower[] {
    return this.#options.followers ?? [];
  }

  /** Everybody looks what is due now. */
  #wake(): void {
    this.#options.runner.wake();
    for (const follower of this.#followers) follower.wake();
  }

  offsetMs(): number {
    return this.#options.clock.offsetMs;
  }

  async moveTo(instant: number): Promise<void> {
    const { clock } = this.#options;
    await this.#alone(async () => {
      requireLater(instant, { now: clock.now(), pointer: "/now" });
      await this.#runOn(instant - this.#machineNow());
    });
    this.#wake();
  }

  async advance(milliseconds: number): Promise<Advance> {
    const { clock, onFault, waitMsMax = WAIT_MS_MAX } = this.#options;
    const fired: Fired[] = [];
    const journey = this.#alone((turn) => this.#travel(turn, { milliseconds, fired }));
    const arrived = await within(waitMsMax, journey);
    if (arrived === null) journey.catch((error: unknown) => onFault("advance", error));
    return { now: clock.now(), fired: [...fired], settled: arrived === true };
  }

  async returnToMachineTime(story?: Story<void>): Promise<void> {
    const { database, clock } = this.#options;
    this.#returning += 1;
    try {
      await this.#alone(async () => {
        await database.write(async (tx) => {
          await story?.(tx);
          await this.#lease.drop(tx);
        });
        clock.runOn(0);
      });
    } finally {
      this.#returning -= 1;
    }
    this.#wake();
  }

  /** Nothing fires meanwhile but what the work fires, and nobody else moves the clock. */
  #alone<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const { database, clock, runner, onFault } = this.#options;
    return runner.alone(async (turn) => {
      await this.#lease.take(() => turn.isOver());
      try {
        if (database.isShared) await followOffset(database, clock);
        return await work(turn);
      } finally {
        // One that cannot be released ends by itself.
        await this.#lease.release().catch((error: unknown) => onFault("clock", error));
      }
    });
  }

  /**
   * From one due time to the next; answers whether it came to the end before the shop closed, or
   * somebody wanted the machine's time back.
   */
  async #travel(turn: Turn, { milliseconds, fired }: Journey): Promise<boolean> {
    const { clock } = this.#options;
    const offsetMs = clock.offsetMs;
    const target = clock.now() + milliseconds;
    requireLater(target, { now: clock.now(), pointer: "/seconds" });
    try {
      for (;;) {
        if (this.#returning > 0) return false;
        for (const follower of this.#followers) fired.push(...(await follower.settle()));
        const due = await this.#nextDue(turn, target);
        if (due === null) break;
        await this.#standAt(due.at);
        const one = due.timer === null ? null : await turn.fire(due.timer);
        if (one !== null) fired.push(one);
      }
      if (turn.isOver()) return false;
      // Real time went by on the way: the clock falls behind neither its target nor its old pace.
      await this.#runOn(Math.max(target - this.#machineNow(), offsetMs));
      return true;
    } finally {
      clock.runOn(clock.offsetMs);
    }
  }

  /** What is due first; no timer where it is a follower's. */
  async #nextDue(turn: Turn, by: number): Promise<{ at: number; timer: TimerRow | null } | null> {
    const timer = await turn.nextDue(by);
    if (turn.isOver()) return null;
    let first: { at: number; timer: TimerRow | null } | null =
      timer === null ? null : { at: timer.dueAt, timer };
    for (const follower of this.#followers) {
      const at = await follower.nextDueAt();
      if (at !== null && at <= by && at < (first?.at ?? Infinity)) first = { at, timer: null };
    }
    return first;
  }

  /** What was due before happens now: the clock never goes back. */
  async #standAt(instant: number): Promise<void> {
    const { clock } = this.#options;
    const now = clock.now();
    if (instant > now) await this.#keep(instant - this.#machineNow());
    clock.standAt(Math.max(instant, now));
  }

  async #runOn(offsetMs: number): Promise<void> {
    this.#options.clock.runOn(await this.#keep(offsetMs));
  }

  #keep(offsetMs: number): Promise<number> {
    return this.#options.database.write((tx) => this.#lease.keep(tx, offsetMs));
  }

  #machineNow(): number {
    const { clock } = this.#options;
    return clock.now() - clock.offsetMs;
  }
}

/** What comes of the work, or null when that takes longer. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const alarm = setTimeout(() => resolve(null), milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(alarm);
  }
}
