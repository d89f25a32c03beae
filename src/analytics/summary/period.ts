// The period of a summary: from the request to slots.

import { slotAt, type Span } from "#analytics/slots.ts";
import {
  type Fault,
  type FaultCode,
  parameterFaults,
  shapeFaults,
  valueFaults,
} from "#kernel/fault.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { dayStartMs } from "#kernel/time.ts";
import { nearestName } from "#platform/process/nearest-name.ts";
import { isTimezone } from "#shop/store/store.ts";

import { dayStart, type Interval, localTime, periodBefore, pointsOf } from "./calendar.ts";

/** Points of a series: it stays readable as a chart, and the response below half a megabyte. */
const POINTS_MAX = 1_000;
/** The length of the default period, today included. */
const DAYS_DEFAULT = 30;
/** The longest period, which bounds the rows that a summary reads. */
const YEARS_MAX = 10;
/** Earlier, some time zones had UTC offsets that are not whole slots. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2200;

export interface PeriodRequest {
  /** A day in the time zone, or an instant. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The shop's time zone by default. */
  readonly timezone?: string | undefined;
  readonly interval?: Interval | undefined;
  readonly compare?: "previous_period" | undefined;
}

export interface Period extends Span {
  readonly timezone: string;
  readonly interval: Interval;
  readonly points: readonly Span[];
  /** Null unless requested. */
  readonly previous: Span | null;
}

export const periodInvalid = defineRefusal("period_invalid", "malformed", {
  title: "The period or its time zone is invalid.",
  cause: "`from`, `to`, `interval` or `timezone` cannot be read, or they do not make a period.",
  remedy: "Correct each entry of `errors`: `parameter` is its name.",
  faults: {
    ...parameterFaults,
    invalid_choice: shapeFaults.invalid_choice,
    invalid_format: shapeFaults.invalid_format,
    out_of_range: valueFaults.out_of_range,
  },
  example: {
    faults: [
      { parameter: "to", code: "not_after_from", detail: "`to` must be later than `from`." },
    ],
  },
});

/** The requested period, widened to whole slots. Refuses with `period_invalid`. */
export function readPeriod(
  request: PeriodRequest,
  { now, timezone: defaultTimezone }: { readonly now: number; readonly timezone: string },
): Period {
  const timezone = readTimezone(request.timezone, defaultTimezone);
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

function readTimezone(requested: string | undefined, defaultTimezone: string): string {
  if (requested === undefined) return defaultTimezone;
  if (isTimezone(requested)) return requested;
  const nearest = nearestName(requested, Intl.supportedValuesOf("timeZone"));
  const hint = nearest === null ? "." : `; is it ${nearest}?`;
  const detail = `This is not an IANA time zone${hint}`;
  throw periodInvalid({ faults: [{ parameter: "timezone", code: "invalid_choice", detail }] });
}

interface Moment {
  /** The slot that begins at or before the instant, and the one that begins at or after it. */
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
    const detail = `The year must be from ${FIRST_YEAR} to ${LAST_YEAR - 1}.`;
    faults.push({ parameter: name, code: "out_of_range", detail });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const detail = "Use a day such as 2026-01-31 or an instant such as 2026-01-31T12:00:00Z.";
    faults.push({ parameter: name, code: "invalid_format", detail });
  }
  return null;
}

function epochOf(text: string, timezone: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.Instant.from(text).epochMilliseconds;
  return dayStartMs(text, timezone);
}

/** The defaults: `to` is the end of today, `from` is 30 days before `to`. */
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
  if (to <= from) refuse("to", "not_after_from", "`to` must be later than `from`.");
  const last = localTime(from, timezone).add({ years: YEARS_MAX });
  if (to > slotAt(last.epochMilliseconds)) {
    refuse("to", "period_too_long", `A period has at most ${YEARS_MAX} years.`);
  }
  if (points.length > POINTS_MAX) {
    const detail = `A series has at most ${POINTS_MAX} points; the period has more ${interval}s.`;
    refuse("interval", "too_many_points", detail);
  }
}

function refuse(parameter: string, code: FaultCode, detail: string): never {
  throw periodInvalid({ faults: [{ parameter, code, detail }] });
}
