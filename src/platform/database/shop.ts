// The shop of one mode, with everything that a workflow may use. Each mode has its own database.

import type { Clock } from "#kernel/time.ts";

import type { Database, Story } from "./database.ts";

export type Mode = "test" | "live";

/** Both modes. */
export const modes: readonly Mode[] = ["test", "live"];

/** The result of advancing the shop's clock. */
export interface Advance {
  /** The shop's time now, epoch milliseconds. Before the target if waiting timed out. */
  readonly now: number;
  /** The timers that fired on the way, in the order of their due times. */
  readonly fired: readonly {
    readonly at: number;
    readonly name: string;
    readonly subject: string;
  }[];
  /** False if waiting timed out; the remaining timers fire in the background. */
  readonly settled: boolean;
}

/** Controls the shop's clock; test mode only. */
export interface SandboxClock {
  /** How far the shop's clock is ahead of the machine's, milliseconds. */
  offsetMs(): number;
  /** Moves the clock to a later instant. Refuses with `clock_backwards` or `clock_moving`. */
  moveTo(instant: number): Promise<void>;
  /** Moves the clock ahead and fires every timer on the way at its due time. */
  advance(milliseconds: number): Promise<Advance>;
  /** Returns to the machine's time in one commit with the story; no timer fires meanwhile. Refuses with `clock_moving`. */
  returnToMachineTime(story?: Story<void>): Promise<void>;
  /**
   * Runs work that replaces the rows of the shop, then shows the instant, which may be earlier than now. No timer
   * fires meanwhile, and workers forget what they knew of the former rows. Refuses with `clock_moving`.
   */
  startAnewAt(instant: number, replace: () => Promise<void>): Promise<void>;
}

/** The shop of one mode. */
export interface Shop {
  readonly mode: Mode;
  readonly database: Database;
  readonly clock: Clock;
  /** Aborted when the shop begins to close, so that long waits end. */
  readonly closing: AbortSignal;
  /** Absent in live mode. */
  readonly sandbox?: SandboxClock;
}
