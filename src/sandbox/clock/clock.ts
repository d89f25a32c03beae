// What may be asked of the shop's clock, and what is refused.

import { defineRefusal, validationFailed } from "#kernel/refusal.ts";

/** Two years: further than any timer of a shop reaches. */
export const ADVANCE_SECONDS_MAX = 63_072_000;
/** Leaves room behind it for everything that is set for later: years have four digits on the wire. */
const INSTANT_MAX = Date.UTC(9000, 0, 1);

export const clockBackwards = defineRefusal(
  "clock_backwards",
  "invalid",
  "The shop's clock moves forward only.",
);

/** Refuses with `clock_backwards` what lies behind, and with `validation_failed` what lies too far. */
export function requireLater(
  instant: number,
  { now, pointer }: { readonly now: number; readonly pointer: string },
): void {
  if (instant < now) throw clockBackwards();
  if (instant <= INSTANT_MAX) return;
  const detail = "The shop's clock goes as far as the year 9000.";
  throw validationFailed({ faults: [{ pointer, code: "too_large", detail }] });
}
