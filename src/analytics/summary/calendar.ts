// Calendars and clocks of people: where days, weeks and months begin in a time zone, and hours too.
// Invariant: the points of a period follow each other without gap or overlap, also where a day has 23
// or 25 hours.

import { SLOT_MS, slotAt, type Span } from "#analytics/slots.ts";

export const intervals = ["hour", "day", "week", "month"] as const;
export type Interval = (typeof intervals)[number];

const SLOTS_OF_HOUR = 4;
const MINUTES_OF_SLOT = 15;

/** The instant of a slot on the clocks of a time zone. */
export function localTime(slot: number, timezone: string): Temporal.ZonedDateTime {
  const instant = Temporal.Instant.fromEpochMilliseconds(slot * SLOT_MS);
  return instant.toZonedDateTimeISO(timezone);
}

/** The slot with which a day begins; where clocks skip midnight, the first that there is. */
export function dayStart(date: Temporal.PlainDate, timezone: string): number {
  return slotAt(date.toZonedDateTime(timezone).epochMilliseconds);
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

/** The slots after one with which something of the interval begins, one after the other. */
function* startsAfter(slot: number, interval: Interval, timezone: string): Generator<number> {
  if (interval === "hour") yield* hoursAfter(slot, timezone);
  else yield* datesAfter(slot, interval, timezone);
}

/** Clocks that are moved by half an hour make one hour longer, since no hour begins in it. */
function* hoursAfter(slot: number, timezone: string): Generator<number> {
  for (let at = slot; ;) {
    at += toNextHour(at, timezone);
    const { minute } = localTime(at, timezone);
    if (minute >= MINUTES_OF_SLOT) at += toNextHour(at, timezone);
    yield at;
  }
}

function toNextHour(slot: number, timezone: string): number {
  const { minute } = localTime(slot, timezone);
  return SLOTS_OF_HOUR - Math.floor(minute / MINUTES_OF_SLOT);
}

function* datesAfter(
  slot: number,
  interval: Exclude<Interval, "hour">,
  timezone: string,
): Generator<number> {
  for (let date = startOf(localTime(slot, timezone).toPlainDate(), interval); ;) {
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
  slot: number,
  { interval, timezone }: { readonly interval: Interval; readonly timezone: string },
): string {
  const local = localTime(slot, timezone);
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
