// Gives the test shop the power to move its clock.

import type { Shop } from "#platform/database/shop.ts";
import type { Log } from "#platform/log/log.ts";
import type { ShopClock } from "#platform/scheduler/shop-clock.ts";
import type { TimerRunner } from "#platform/scheduler/timers.ts";
import { type Follower, TimeTravel } from "#sandbox/clock/time-travel.ts";

export interface TimeParts {
  readonly clock: ShopClock;
  readonly runner: Pick<TimerRunner, "exclusively" | "wake">;
  readonly followers: readonly Follower[];
  readonly log: Log;
}

/** The same shop with a clock that can be moved, which fires the timers due on the way. */
export function withSandbox<T extends Shop>(
  shop: T,
  { clock, runner, followers, log }: TimeParts,
): T {
  const sandbox = new TimeTravel({
    database: shop.database,
    clock,
    runner,
    followers,
    onFault: (what, error) => log.error("The sandbox failed.", { what, error }),
  });
  return { ...shop, sandbox };
}
