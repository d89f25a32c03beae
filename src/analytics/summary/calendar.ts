// Calendars and clocks of people: where days, weeks and months begin in a time zone, and hours too.
// Invariant: the points of a period follow each other without gap or overlap, also where a day has 23
// or 25 hours.

import { QUARTER_MS, quarterAt, type Span } from "#analytics/quarters.ts";

export const intervals = ["hour", "day", "week", "month"] as const;
export type Interval = (typeof intervals)[number];

const QUARTERS_OF_HOUR = 4;
const MINUTES_OF_QUARTER = 15;

/** The instant of a quarter on the clocks of a time zone. */
export function localTime(quarter: number, timezone: string): Temporal.ZonedDateTime {
  const instant = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS);
  return instant.toZonedDateTimeISO(timezone);
}

/** The quarter with which a day begins; where clocks skip midnight, the first that there is. */
export function dayStart(date: Temporal.PlainDate, timezone: string): number {
  return quarterAt(date.toZonedDateTime(timezone).epochMilliseconds);
}

/**
 * The period in points of an interval, at most `limit` of them. The first and the last may be parts:
 * weeks begin on Monday, whatever the period begins with.
 */
export function pointsOf(
  { from, to }: Span,
  { interval, timezone }: { readonly interval: Interval; readonly timezone: string },
  limit: number,
): Span[] {
  const points: Span[] = [];
  for (const next of startsAfter(from, interval, timezone)) {
    const start = points.at(-1)?.to ?? from;
    if (next <= start) continue;
    points.push({ from: start, to: Math.min(next, to) });
    if (next >= to || points.length === limit) break;
  }
  return points;
}

/** The quarters after one with which something of the interval begins, one after the other. */
function* startsAfter(quarter: number, interval: Interval, timezone: string): Generator<number> {
  if (interval === "hour") yield* hoursAfter(quarter, timezone);
  else yield* datesAfter(quarter, interval, timezone);
}

/** Clocks that are moved by half an hour make one hour longer, since no hour begins in it. */
function* hoursAfter(quarter: number, timezone: string): Generator<number> {
  for (let at = quarter; ;) {
    at += toNextHour(at, timezone);
    const { minute } = localTime(at, timezone);
    if (minute >= MINUTES_OF_QUARTER) at += toNextHour(at, timezone);
    yield at;
  }
}

function toNextHour(quarter: number, timezone: string): number {
  const { minute } = localTime(quarter, timezone);
  return QUARTERS_OF_HOUR - Math.floor(minute / MINUTES_OF_QUARTER);
}

function* datesAfter(
  quarter: number,
  interval: Exclude<Interval, "hour">,
  timezone: string,
): Generator<number> {
  for (let date = startOf(localTime(quarter, timezone).toPlainDate(), interval); ;) {
    date = date.add({ [`${interval}s`]: 1 });
    yield dayStart(date, timezone);
  }
}

function startOf(date: Temporal.PlainDate, interval: Exclude<Interval, "hour">) {
  if (interval === "month") return date.with({ day: 1 });
  return interval === "week" ? date.subtract({ days: date.dayOfWeek - 1 }) : date;
}

/** What a point of the series is called: the hour with its offset, the day, or the month. */
export function labelOf(
  quarter: number,
  { interval, timezone }: { readonly interval: Interval; readonly timezone: string },
): string {
  const local = localTime(quarter, timezone);
  if (interval === "hour") return local.toString({ timeZoneName: "never", smallestUnit: "minute" });
  const date = local.toPlainDate().toString();
  return interval === "month" ? date.slice(0, "2026-01".length) : date;
}

/**
 * The period before, of equal length on the calendar: as many months where it is whole months, as
 * many days where it is whole days, else as much time.
 */
export function periodBefore({ from, to }: Span, timezone: string): Span {
  const [start, end] = [localTime(from, timezone), localTime(to, timezone)];
  const [first, last] = [start.toPlainDate(), end.toPlainDate()];
  const isDays = dayStart(first, timezone) === from && dayStart(last, timezone) === to;
  if (!isDays) return { from: from - (to - from), to: from };
  const isMonths = first.day === 1 && last.day === 1;
  const length = first.until(last, { largestUnit: isMonths ? "months" : "days" });
  return { from: dayStart(first.subtract(length), timezone), to: from };
}
