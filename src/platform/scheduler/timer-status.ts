// How it stands with what happens later, for whoever watches the server: when each kind of timer
// last ran and will next run, and whether its last run failed. What failed is in the log.

import { toIsoOrNull } from "#kernel/time.ts";
import { type Mode, modes } from "#platform/database/shop.ts";

import type { TimerRunner } from "./timers.ts";

export interface TimerStatus {
  readonly mode: Mode;
  readonly name: string;
  /** On the shop's clock, since the program started. */
  readonly last_run: string | null;
  readonly next_run: string | null;
  readonly failing: boolean;
}

/** Every kind of timer of both shops. */
export async function timerStatus(
  runners: Readonly<Record<Mode, Pick<TimerRunner, "status">>>,
): Promise<TimerStatus[]> {
  const told = modes.map(async (mode) =>
    (await runners[mode].status()).map((status) => ({
      mode,
      name: status.name,
      last_run: toIsoOrNull(status.lastRunAt),
      next_run: toIsoOrNull(status.nextRunAt),
      failing: status.lastError !== null,
    })),
  );
  return (await Promise.all(told)).flat();
}
