// Moves the clock of a test shop. Invariant: an offset is committed before the clock shows it, so that
// after a crash no row is dated later than now.

import { type Clock, monotonicMs, realClock } from "#kernel/time.ts";
import type { Database, Story, Tx } from "#platform/database/database.ts";
import { storageUnavailable } from "#platform/database/errors.ts";
import { newHolder, releaseLease, renewLease, takeLease } from "#platform/database/leases.ts";
import type { Advance, SandboxClock } from "#platform/database/shop.ts";
import {
  CLOCK_LEASE,
  findClockOffset,
  followOffset,
  saveClockOffset,
  type ShopClock,
} from "#platform/scheduler/shop-clock.ts";
import type { TimerRow } from "#platform/scheduler/timer-queries.ts";
import type { Fired } from "#platform/scheduler/timer-work.ts";
import type { TimerRunner, Turn } from "#platform/scheduler/timers.ts";

import { requireLater } from "./clock.ts";

// The lease for moving the clock of a test shop: one program at a time where several share the shop.
// Invariant: an offset is written only in a transaction that holds the lease, so no two moves overlap.

/** Longer than one step of a move takes; each step renews the lease. */
const LEASE_MS = 60_000;
/** Between two attempts to take the lease, milliseconds. */
const POLL_MS = 50;
const RETRY_AFTER = { "Retry-After": "1" } as const;

class ClockLease {
  readonly #database: Database;
  readonly #machine: Clock;
  readonly #holder: string;

  constructor(database: Database, machine: Clock = realClock) {
    this.#database = database;
    this.#holder = newHolder(database);
    this.#machine = machine;
  }

  /**
   * Waits until no other program moves the clock, then takes the lease. Refuses with
   * `storage_unavailable` if `isOver` becomes true first.
   */
  async take(isOver: () => boolean): Promise<void> {
    if (!this.#database.isShared) return;
    while (!(await this.#database.write((tx) => takeLease(tx, this.#claim())))) {
      if (isOver()) throw storageUnavailable({ headers: RETRY_AFTER });
      await Bun.sleep(POLL_MS);
    }
  }

  async release(): Promise<void> {
    if (!this.#database.isShared) return;
    await this.#database.write((tx) => releaseLease(tx, this.#claim()));
  }

  /**
   * Saves the offset, with which a restart begins, and returns it. In a shared shop the offset never
   * falls, so that the clock of no program goes back.
   */
  async save(tx: Tx, offsetMs: number): Promise<number> {
    await this.#require(tx);
    const saved = this.#database.isShared
      ? Math.max(offsetMs, await findClockOffset(tx))
      : offsetMs;
    await saveClockOffset(tx, saved);
    return saved;
  }

  /** Saves an offset of zero: every program returns to the machine's time. */
  async reset(tx: Tx): Promise<void> {
    await this.#require(tx);
    await saveClockOffset(tx, 0);
  }

  /** Throws if this program stood still for so long that another one took the lease. */
  async #require(tx: Tx): Promise<void> {
    if (!this.#database.isShared || (await renewLease(tx, this.#claim()))) return;
    throw new Error("Another program moves the clock of the test shop.");
  }

  #claim() {
    const now = this.#machine.now();
    return { name: CLOCK_LEASE, holder: this.#holder, now, until: now + LEASE_MS };
  }
}

/** How long a request waits for its advance, or for what is due before its jump, in real time. */
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
  /** True if its work waits for no other server: a jump of the clock waits for it, too. */
  readonly isLocal?: boolean;
  /** Resolves when none of its work is due or running, or `isOver` is true; returns what it did meanwhile. */
  settle(isOver: () => boolean): Promise<readonly Fired[]>;
  /** The shop's time at which it acts next; null if nothing is planned. */
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
}

/** The sandbox of a shop. Moves run one at a time, and wait for timers that are firing. */
export class TimeTravel implements SandboxClock {
  readonly #options: TimeTravelOptions;
  readonly #lease: ClockLease;
  /** Pending returns to the machine's time: an advance under way stops for them. */
  #returning = 0;

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
    const { clock } = this.#options;
    await this.#exclusively(async (turn) => {
      requireLater(instant, { now: clock.now(), pointer: "/now" });
      await this.#finishPresent(turn);
      // Real time passed meanwhile, and may have passed the instant.
      await this.#setOffset(Math.max(instant - this.#machineNow(), clock.offsetMs));
    });
    this.#wake();
  }

  async advance(milliseconds: number): Promise<Advance> {
    const { clock, onFault, waitMsMax = WAIT_MS_MAX } = this.#options;
    const fired: Fired[] = [];
    const journey = this.#exclusively((turn) => this.#travel(turn, { milliseconds, fired }));
    const arrived = await within(waitMsMax, journey);
    if (arrived === null) journey.catch((error: unknown) => onFault("advance", error));
    return { now: clock.now(), fired: [...fired], settled: arrived === true };
  }

  async returnToMachineTime(story?: Story<void>): Promise<void> {
    const { database, clock } = this.#options;
    this.#returning += 1;
    try {
      await this.#exclusively(async () => {
        await database.write(async (tx) => {
          await story?.(tx);
          await this.#lease.reset(tx);
        });
        clock.runOn(0);
      });
    } finally {
      this.#returning -= 1;
    }
    this.#wake();
  }

  async startAnewAt(instant: number, replace: () => Promise<void>): Promise<void> {
    this.#returning += 1;
    try {
      await this.#exclusively(async () => {
        await replace();
        for (const follower of this.#followers) follower.forget();
        await this.#setOffset(instant - this.#machineNow());
      });
    } finally {
      this.#returning -= 1;
    }
    this.#wake();
  }

  /**
   * Does what is due before a jump, such as emails of what has happened: after it they would be old news. What is still
   * due at the limit, since it is too much or sets itself again, comes after the jump.
   */
  async #finishPresent(turn: Turn): Promise<void> {
    const { clock, waitMsMax = WAIT_MS_MAX } = this.#options;
    const until = monotonicMs() + waitMsMax;
    const isOver = () => turn.isOver() || this.#returning > 0 || monotonicMs() > until;
    const local = this.#followers.filter(({ isLocal = false }) => isLocal);
    while (!isOver()) {
      for (const follower of local) await follower.settle(isOver);
      const due = await turn.nextDue(clock.now());
      if (due === null) return;
      await turn.fire(due);
    }
  }

  /** Runs the work while no timer fires but those it fires, and no other move runs. */
  #exclusively<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const { database, clock, runner, onFault } = this.#options;
    return runner.exclusively(async (turn) => {
      await this.#lease.take(() => turn.isOver());
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
   * Goes from one due time to the next. Returns false if the shop closed, or a return to the machine's
   * time was requested, before the target was reached.
   */
  async #travel(turn: Turn, { milliseconds, fired }: Journey): Promise<boolean> {
    const { clock } = this.#options;
    const offsetMs = clock.offsetMs;
    const target = clock.now() + milliseconds;
    requireLater(target, { now: clock.now(), pointer: "/seconds" });
    try {
      for (;;) {
        for (const follower of this.#followers) {
          fired.push(...(await follower.settle(() => this.#returning > 0)));
        }
        if (this.#returning > 0) return false;
        const due = await this.#nextDue(turn, target);
        if (due === null) break;
        await this.#stopAt(due.at);
        const one = due.timer === null ? null : await turn.fire(due.timer);
        if (one !== null) fired.push(one);
      }
      if (turn.isOver()) return false;
      // Real time passed meanwhile: the new offset reaches the target and is never below the old one.
      await this.#setOffset(Math.max(target - this.#machineNow(), offsetMs));
      return true;
    } finally {
      clock.runOn(clock.offsetMs);
    }
  }

  /** Finds what is due first by then; `timer` is null if it is a follower's work. */
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
