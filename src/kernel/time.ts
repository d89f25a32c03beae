// Time as a parameter. This is the only module that reads the machine's clocks; the shop asks a
// `Clock`, so that test mode can move it.

/** A source of time, in epoch milliseconds. */
export interface Clock {
  now(): number;
}

/**
 * The machine's wall clock. Signature timestamps, key expiry and retention use it in both modes.
 */
export const realClock: Clock = { now: () => Date.now() };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** Monotonic milliseconds, for pacing and rate limits: clock changes do not affect them. */
export function monotonicMs(): number {
  return performance.now();
}

/**
 * Resolves after pending work of the event loop had a turn. Long computations await it regularly,
 * so that requests are answered meanwhile.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Epoch milliseconds, from the first up to, but without, the second; undefined where nothing bounds it. */
export interface TimeSpan {
  readonly from: number | undefined;
  readonly below: number | undefined;
}

/**
 * The first instant of a day such as 2026-01-31 in a time zone, epoch milliseconds: later than midnight
 * if the clocks skip midnight. `daysLater` is that of a day after it. Throws RangeError for another text.
 */
export function dayStartMs(day: string, timezone: string, daysLater = 0): number {
  const date = Temporal.PlainDate.from(day).add({ days: daysLater });
  return date.toZonedDateTime(timezone).epochMilliseconds;
}

/** The day such as 2026-01-31 on which an instant is in a time zone, or so many days later. */
export function dayAt(epochMs: number, timezone: string, daysLater = 0): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(epochMs);
  const date = instant.toZonedDateTimeISO(timezone).toPlainDate();
  return date.add({ days: daysLater }).toString();
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The epoch milliseconds of an instant of the wire, or of the first instant of a day in the time zone. */
export function instantOrDayMs(text: string, timezone: string): number {
  return DAY.test(text) ? dayStartMs(text, timezone) : Date.parse(text);
}

let printedMs = 0;
let printed = "1970-01-01T00:00:00.000Z";

/** An instant in the form of the wire: ISO 8601 UTC with milliseconds. The last one is kept, because most come in a row. */
export function toIso(epochMs: number): string {
  if (epochMs !== printedMs) {
    printed = new Date(epochMs).toISOString();
    printedMs = epochMs;
  }
  return printed;
}

/** The same for an instant that may not be set. */
export function toIsoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toIso(epochMs);
}
