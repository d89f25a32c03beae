// Hours, days, weeks and months in a time zone. Invariant: the points of a period have no gap and no
// overlap, also on days of 23 or 25 hours.

import { SLOT_MS, slotAt, type Span } from "#analytics/slots.ts";

export const intervals = ["hour", "day", "week", "month"] as const;
export type Interval = (typeof intervals)[number];

const SLOTS_OF_HOUR = 4;
const MINUTES_OF_SLOT = 15;

/** The local time of a slot. */
export function localTime(slot: number, timezone: string): Temporal.ZonedDateTime {
  const instant = Temporal.Instant.fromEpochMilliseconds(slot * SLOT_MS);
  return instant.toZonedDateTimeISO(timezone);
}

/** The first slot of a day, which is later than midnight if the clocks skip midnight. */
export function dayStart(date: Temporal.PlainDate, timezone: string): number {
  return slotAt(date.toZonedDateTime(timezone).epochMilliseconds);
}

/**
 * Divides the period into intervals, at most `limit` of them. The first and the last may be partial:
 * weeks always begin on Monday.
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

/** The starts of the intervals after a slot, in order. */
function* startsAfter(slot: number, interval: Interval, timezone: string): Generator<number> {
  if (interval === "hour") yield* hoursAfter(slot, timezone);
  else yield* datesAfter(slot, interval, timezone);
}

/** If the clocks move by half an hour, the hour around the change is longer. */
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

/** The label of a point: the hour with its UTC offset, the day, or the month. */
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
 * The previous period of equal length: in months if the period is whole months, in days if it is
 * whole days, otherwise in slots.
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
