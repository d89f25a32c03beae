// Follows the clock of a shared test shop when another program moves it. Invariant: the clock never
// goes back, except to the machine's time when the shop is reset.

import { type Clock, realClock } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import { findLease } from "#platform/database/leases.ts";

import { findClockOffset } from "./clock-offset.ts";
import { PollLoop } from "./poll-loop.ts";
import type { ShopClock } from "./shop-clock.ts";

/** The lease of a program that is moving the clock. */
export const CLOCK_LEASE = "clock";
/** Between two polls, milliseconds. Each step of an advance waits this long for other programs. */
const POLL_MS = 250;

export interface ClockFollowerTerms {
  readonly database: Database;
  readonly clock: ShopClock;
  /** Called when another program moved the clock or finished moving it. */
  readonly onMoved: () => void;
  /** Called once per outage of the database. */
  readonly onFault: (error: unknown) => void;
  /** The clock of leases; replaced in tests. */
  readonly machine?: Clock;
}

/** Sets the clock to the stored offset; returns whether it changed. */
export async function followOffset(database: Database, clock: ShopClock): Promise<boolean> {
  const seen = clock.moves;
  const offsetMs = await findClockOffset(database.read);
  // The clock was moved here meanwhile, so the offset is outdated.
  if (clock.moves !== seen || clock.isStanding) return false;
  const isEmptied = offsetMs === 0 && clock.offsetMs !== 0;
  if (offsetMs <= clock.offsetMs && !isEmptied) return false;
  clock.runOn(offsetMs);
  return true;
}

export class ClockFollower {
  readonly #terms: ClockFollowerTerms;
  readonly #machine: Clock;
  readonly #loop: PollLoop;
  #isMoving = false;

  constructor(terms: ClockFollowerTerms) {
    this.#terms = terms;
    this.#machine = terms.machine ?? realClock;
    this.#loop = new PollLoop({
      what: "The clock follower",
      poll: () => this.poll(),
      onFault: terms.onFault,
      pauseMs: () => POLL_MS,
    });
  }

  /** True if a program is moving the clock and firing the timers on the way. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** Starts polling. */
  start(): void {
    this.#loop.start(POLL_MS);
  }

  /** Stops polling. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async poll(): Promise<void> {
    const { database, clock, onMoved } = this.#terms;
    const isMoved = await followOffset(database, clock);
    // After the offset, because the lease is taken before the clock is moved.
    const lease = await findLease(database.read, CLOCK_LEASE);
    const wasMoving = this.#isMoving;
    this.#isMoving = lease !== undefined && lease.until > this.#machine.now();
    if (isMoved || (wasMoving && !this.#isMoving)) onMoved();
  }
}
