// What time a summary is about, as it was asked for and as it is counted.

import { slotAt, type Span } from "#analytics/slots.ts";
import { nearestName } from "#kernel/nearest-name.ts";
import { defineRefusal, type Fault } from "#kernel/refusal.ts";
import { isTimezone } from "#shop/store/store.ts";

import { dayStart, type Interval, localTime, periodBefore, pointsOf } from "./calendar.ts";

/** Points of one series: more are no chart, and the answer stays below half a megabyte. */
const POINTS_MAX = 1_000;
/** What is asked for where nothing is said, today included. */
const DAYS_DEFAULT = 30;
/** Ten years: as long as anybody compares, and it bounds what is read. */
const YEARS_MAX = 10;
/** Before this year no shop of ours sold anything, and some clocks were not off by whole slots. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2200;

export interface PeriodRequest {
  /** A day in the time zone, or an instant. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The shop's where nothing is said. */
  readonly timezone?: string | undefined;
  readonly interval?: Interval | undefined;
  readonly compare?: "previous_period" | undefined;
}

export interface Period extends Span {
  readonly timezone: string;
  readonly interval: Interval;
  readonly points: readonly Span[];
  /** Null where nobody asked for it. */
  readonly previous: Span | null;
}

export const periodInvalid = defineRefusal(
  "period_invalid",
  "malformed",
  "The period or its time zone has faults.",
);

/** The period that was asked for, its edges on whole slots. Refuses with `period_invalid`. */
export function readPeriod(
  request: PeriodRequest,
  { now, timezone: usual }: { readonly now: number; readonly timezone: string },
): Period {
  const timezone = readTimezone(request.timezone, usual);
  const faults: Fault[] = [];
  const moment = (name: "from" | "to") => readMoment(request[name], { name, timezone, faults });
  const [start, end] = [moment("from"), moment("to")];
  refuseIfAny(faults);
  const span = spanOf(start, end, { now, timezone });
  const interval = request.interval ?? "day";
  const points = pointsOf(span, { interval, timezone }, POINTS_MAX + 1);
  validateSpan(span, { interval, timezone, points });
  const previous = request.compare === undefined ? null : periodBefore(span, timezone);
  return { ...span, timezone, interval, points, previous };
}

function refuseIfAny(faults: readonly Fault[]): void {
  if (faults.length > 0) throw periodInvalid({ faults });
}

function readTimezone(asked: string | undefined, usual: string): string {
  if (asked === undefined) return usual;
  if (/^[A-Za-z]/.test(asked) && isTimezone(asked)) return asked;
  const nearest = nearestName(asked, Intl.supportedValuesOf("timeZone"));
  const hint = nearest === null ? "" : `; is it ${nearest}?`;
  const detail = `This is not an IANA time zone${hint}`;
  throw periodInvalid({ faults: [{ parameter: "timezone", code: "invalid_choice", detail }] });
}

interface Moment {
  /** The slot it lies in, and the next one where it lies within. */
  readonly floor: number;
  readonly ceiling: number;
}

function readMoment(
  text: string | undefined,
  { name, timezone, faults }: { name: string; timezone: string; faults: Fault[] },
): Moment | null {
  if (text === undefined) return null;
  try {
    const epochMs = epochOf(text, timezone);
    const { year } = localTime(slotAt(epochMs), "UTC");
    if (year >= FIRST_YEAR && year < LAST_YEAR) {
      const floor = slotAt(epochMs);
      return { floor, ceiling: -slotAt(-epochMs) };
    }
    const detail = `It lies before ${FIRST_YEAR} or after ${LAST_YEAR - 1}.`;
    faults.push({ parameter: name, code: "out_of_range", detail });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const detail = "A day such as 2026-01-31, or an instant such as 2026-01-31T12:00:00Z.";
    faults.push({ parameter: name, code: "invalid_format", detail });
  }
  return null;
}

function epochOf(text: string, timezone: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.Instant.from(text).epochMilliseconds;
  return Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds;
}

/** What is not said follows from what is: up to the end of today, and thirty days in all. */
function spanOf(
  start: Moment | null,
  end: Moment | null,
  { now, timezone }: { readonly now: number; readonly timezone: string },
): Span {
  const tomorrow = localTime(slotAt(now), timezone).toPlainDate().add({ days: 1 });
  const to = end?.ceiling ?? dayStart(tomorrow, timezone);
  const first = localTime(to, timezone).subtract({ days: DAYS_DEFAULT });
  return { from: start?.floor ?? slotAt(first.epochMilliseconds), to };
}

function validateSpan(
  { from, to }: Span,
  { interval, timezone, points }: Pick<Period, "interval" | "timezone" | "points">,
): void {
  if (to <= from) refuse("to", "not_after_from", "The end lies after the beginning.");
  const last = localTime(from, timezone).add({ years: YEARS_MAX });
  if (to > slotAt(last.epochMilliseconds)) {
    refuse("to", "period_too_long", `A period has ${YEARS_MAX} years at most.`);
  }
  if (points.length > POINTS_MAX) {
    const detail = `A series has ${POINTS_MAX} points at most, and these are more ${interval}s.`;
    refuse("interval", "too_many_points", detail);
  }
}

function refuse(parameter: string, code: string, detail: string): never {
  throw periodInvalid({ faults: [{ parameter, code, detail }] });
}
