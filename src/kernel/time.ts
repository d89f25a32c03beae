// Time as a parameter. The only place that reads the machine's clocks: everything of the shop asks
// a `Clock`, so that test mode can move it.

/** Where the shop gets its time from, in epoch milliseconds. */
export interface Clock {
  now(): number;
}

/** The machine's wall clock. Signature timestamps, key expiry and retention stay on it. */
export const realClock: Clock = { now: () => Date.now() };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Milliseconds that only ever rise; for pacing and rate limits, which no clock change may lift. */
export function monotonicMs(): number {
  return performance.now();
}

/** Resolves when everybody else who waits had a turn: long work asks for it, so that nobody waits for all of it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** An instant as the wire has it: ISO 8601 UTC with milliseconds. */
export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The same for an instant that may not have come yet. */
export function toIsoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toIso(epochMs);
}
