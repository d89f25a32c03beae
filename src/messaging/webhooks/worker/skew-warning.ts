// Warns when the clocks of a receiver and of this machine differ: beyond five minutes the receiver
// rejects every delivery as too old.

import { monotonicMs } from "#kernel/time.ts";
import type { Log } from "#platform/log/log.ts";

/** Milliseconds; a minute leaves four more before deliveries fail. */
const SKEW_MS_MAX = 60_000;
const WARNING_INTERVAL_MS = 3_600_000;

/** A callback that logs a warning for a skew above `SKEW_MS_MAX`, at most once an hour. */
export function skewWarning(log: Log): (skewMs: number) => void {
  let warnedAtMs = -Infinity;
  return (skewMs) => {
    if (skewMs <= SKEW_MS_MAX || monotonicMs() - warnedAtMs < WARNING_INTERVAL_MS) return;
    warnedAtMs = monotonicMs();
    log.warn("The clocks of a webhook receiver and of this machine differ. Check both.", {
      skew_seconds: Math.round(skewMs / 1000),
    });
  };
}
