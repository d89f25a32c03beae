// Follows the shop's clock where another program may move it. Invariant: it never goes back, but to the
// machine's time, to which only a shop that was emptied returns.

import { type Clock, realClock } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import { findLease } from "#platform/database/leases.ts";

import { findClockOffset } from "./clock-offset.ts";
import { PollLoop } from "./poll-loop.ts";
import type { ShopClock } from "./shop-clock.ts";

/** Whoever moves the clock has it on the way. */
export const CLOCK_LEASE = "clock";
/** Between two looks, milliseconds: a step of an advance waits so long for whoever delivers. */
const LOOK_MS = 250;

export interface ClockFollowerTerms {
  readonly database: Database;
  readonly clock: ShopClock;
  /** Called when the clock was moved by another program, or that one has arrived. */
  readonly onMoved: () => void;
  /** Told once for each time that the store cannot be asked. */
  readonly onFault: (error: unknown) => void;
  /** What leases are kept on; another clock for tests. */
  readonly machine?: Clock;
}

/** Afterwards the clock shows what the store says; answers whether it was moved. */
export async function followOffset(database: Database, clock: ShopClock): Promise<boolean> {
  const seen = clock.moves;
  const offsetMs = await findClockOffset(database.read);
  // Who moved it here meanwhile knows better.
  if (clock.moves !== seen || clock.isStanding) return false;
  const isEmptied = offsetMs === 0 && clock.offsetMs !== 0;
  if (offsetMs <= clock.offsetMs && !isEmptied) return false;
  clock.runOn(offsetMs);
  return true;
}

export class ClockFollower {
  readonly #terms: ClockFollowerTerms;
  readonly #machine: Clock;
  readonly #looks: PollLoop;
  #isMoving = false;

  constructor(terms: ClockFollowerTerms) {
    this.#terms = terms;
    this.#machine = terms.machine ?? realClock;
    this.#looks = new PollLoop({
      what: "A clock's follower",
      look: () => this.look(),
      onFault: terms.onFault,
      pauseMs: () => LOOK_MS,
    });
  }

  /** Whether somebody is on the way and lets everything happen that is due there. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** From now on the clock follows. */
  start(): void {
    this.#looks.start(LOOK_MS);
  }

  /** The clock follows nobody any more. */
  stop(): Promise<void> {
    return this.#looks.stop();
  }

  async look(): Promise<void> {
    const { database, clock, onMoved } = this.#terms;
    const isMoved = await followOffset(database, clock);
    // In this order: who moved the clock had the lease before.
    const lease = await findLease(database.read, CLOCK_LEASE);
    const wasMoving = this.#isMoving;
    this.#isMoving = lease !== undefined && lease.until > this.#machine.now();
    if (isMoved || (wasMoving && !this.#isMoving)) onMoved();
  }
}
