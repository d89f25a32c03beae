// Tells the operator when receivers' clocks and ours disagree: past five minutes they would refuse
// every delivery as too old, and the cause would be looked for at their end.

import { monotonicMs } from "#kernel/time.ts";
import type { Log } from "#platform/log/log.ts";

/** Milliseconds; a minute leaves four to mend it. */
const SKEW_MS_MAX = 60_000;
const ONCE_IN_MS = 3_600_000;

/** Writes a warning when the clocks are too far apart, at most once an hour. */
export function skewWarning(log: Log): (skewMs: number) => void {
  let warnedAtMs = -Infinity;
  return (skewMs) => {
    if (skewMs <= SKEW_MS_MAX || monotonicMs() - warnedAtMs < ONCE_IN_MS) return;
    warnedAtMs = monotonicMs();
    log.warn("A receiver of webhooks has another time than this machine. Compare both clocks.", {
      skew_seconds: Math.round(skewMs / 1000),
    });
  };
}
