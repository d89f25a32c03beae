// The status of each kind of timer, for monitoring: last run, next run, and whether the last run
// failed. The errors themselves are in the log.

import { toIsoOrNull } from "#kernel/time.ts";
import { type Mode, modes } from "#platform/database/shop.ts";

import type { TimerRunner } from "./timers.ts";

export interface TimerReport {
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
