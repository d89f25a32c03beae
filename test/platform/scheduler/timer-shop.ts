// A shop of timers only: a real store, a clock that the test moves, and a note in the event log for
// everything that happened.

import type { Shop } from "#platform/database/shop.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { ShopClock } from "#platform/scheduler/shop-clock.ts";
import { findTimersAfter, type TimerRow } from "#platform/scheduler/timer-queries.ts";
import type { TimerStory, TimerWork } from "#platform/scheduler/timer-work.ts";
import { setTimer, TimerRunner } from "#platform/scheduler/timers.ts";
import { type Follower, TimeTravel } from "#sandbox/clock/time-travel.ts";

import { NOON, openTestDatabase, stillOpen } from "../../support/database.ts";

export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** The machine's clock, as far as the shop knows: it stands until it is told. */
class HandClock {
  #now = NOON;

  now(): number {
    return this.#now;
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** A story that only notes that it happened, and when. */
export function noting(name: string): TimerStory {
  return { name, run: (tx, subject) => tx.emit({ name, subject, data: tx.now - NOON }) };
}

export interface TimerShop extends AsyncDisposable {
  readonly shop: Shop;
  readonly runner: TimerRunner;
  readonly travel: TimeTravel;
  /** What went wrong, as `name: message`. */
  readonly faults: readonly string[];
  /** Sets a timer so many milliseconds after noon. */
  set(name: string, subject: string, afterMs: number): Promise<void>;
  /** What happened, as `name subject +milliseconds after noon`. */
  happened(): Promise<string[]>;
  timers(): Promise<TimerRow[]>;
  /** Lets the machine's time pass, and what is due happen. */
  pass(milliseconds: number): Promise<void>;
}

export interface TimerShopTerms {
  readonly timers: readonly TimerWork[];
  readonly waitMsMax?: number;
  readonly followers?: readonly Follower[];
}

/** Opens it at noon; nothing happens by itself unless the runner is started. */
export async function openTimerShop({ timers, ...terms }: TimerShopTerms): Promise<TimerShop> {
  const machine = new HandClock();
  const clock = new ShopClock(machine);
  const opened = await openTestDatabase(clock);
  const { database } = opened;
  const shop: Shop = { mode: "test", database, clock, closing: stillOpen };
  const faults: string[] = [];
  const onFault = (name: string, error: unknown) =>
    void faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  const runner = new TimerRunner({ shop, timers, onFault });
  return {
    shop,
    runner,
    travel: new TimeTravel({ database, clock, runner, onFault, ...terms }),
    faults,
    set: (name, subject, afterMs) =>
      database.write((tx) => setTimer(tx, { name, subject, dueAt: NOON + afterMs })),
    happened: async () => {
      const events = await eventsAfter(database.read, { after: 0, limit: 1_000_000 });
      return events.map(({ name, subject, data }) => `${name} ${subject} +${data}`);
    },
    timers: () => findTimersAfter(database.read, null, 1_000_000),
    pass: async (milliseconds) => {
      machine.pass(milliseconds);
      await runner.fireDue();
    },
    [Symbol.asyncDispose]: async () => {
      await runner.stop();
      await opened[Symbol.asyncDispose]();
    },
  };
}
