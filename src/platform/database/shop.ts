// One mode of a shop with everything a workflow may use. Test and live have a database each.

import type { Clock } from "#kernel/time.ts";

import type { Database, Story } from "./database.ts";

export type Mode = "test" | "live";

/** Both modes. */
export const modes: readonly Mode[] = ["test", "live"];

/** What came of advancing the shop's clock. */
export interface Advance {
  /** The shop's time now, epoch milliseconds; still on its way where not everything was waited for. */
  readonly now: number;
  /** What happened on the way, in the order of its time. */
  readonly fired: readonly {
    readonly at: number;
    readonly name: string;
    readonly subject: string;
  }[];
  /** False where waiting ended before everything had happened: the rest goes on. */
  readonly settled: boolean;
}

/** Power over the shop's time; test mode alone has it. */
export interface Sandbox {
  /** Milliseconds that the shop's clock is ahead of the machine's. */
  offsetMs(): number;
  /** Moves the clock to a later instant. Refuses with `clock_backwards`. */
  moveTo(instant: number): Promise<void>;
  /** Moves the clock ahead and lets everything that is due on the way happen at its time. */
  advance(milliseconds: number): Promise<Advance>;
  /** Returns to the machine's time, in one commit with the story; no timer fires meanwhile. */
  returnToMachineTime(story?: Story<void>): Promise<void>;
}

/** One mode of the shop with everything a workflow may use. */
export interface Shop {
  readonly mode: Mode;
  readonly database: Database;
  readonly clock: Clock;
  /** Aborted when the shop is about to close: whoever waits for something to happen stops waiting. */
  readonly closing: AbortSignal;
  /** Absent in live mode. */
  readonly sandbox?: Sandbox;
}
