// Slots, spans and calendars: every slot of a period counts exactly once.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { bucketOf, piecesOf, readingOf, resolutions, slotAt, type Span } from "#analytics/slots.ts";
import {
  type Interval,
  labelOf,
  localTime,
  periodBefore,
  pointsOf,
} from "#analytics/summary/calendar.ts";

const FIRST = slotAt(Date.UTC(2000, 0, 1));
const LAST = slotAt(Date.UTC(2100, 0, 1));
const DAY = 96;

const zones = fc.constantFrom(
  ...Intl.supportedValuesOf("timeZone").concat(
    ["Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Chatham", "Asia/Tehran"],
    ["Pacific/Apia", "Africa/Cairo", "America/Sao_Paulo", "Asia/Beirut", "Africa/Casablanca"],
  ),
);
const starts = fc.integer({ min: FIRST, max: LAST });

function spans(longest: number) {
  return fc
    .tuple(starts, fc.integer({ min: 1, max: longest }))
    .map(([from, length]): Span => ({ from, to: from + length }));
}

const someInterval = fc.constantFrom<Interval>("hour", "day", "week", "month");

describe("the pieces of a span", () => {
  test("cover its slots, each once and in order", () => {
    fc.assert(
      fc.property(spans(20_000), (span) => {
        const pieces = piecesOf(span);

        expect(pieces[0]?.from).toBe(span.from);
        expect(pieces.at(-1)?.to).toBe(span.to);
        for (const [index, piece] of pieces.entries()) {
          expect(piece.from % piece.resolution).toBe(0);
          expect((piece.to - piece.from) % piece.resolution).toBe(0);
          expect(pieces[index + 1]?.from ?? span.to).toBe(piece.to);
        }
      }),
    );
  });

  test("are few rows, however long the span", () => {
    fc.assert(
      fc.property(spans(400 * DAY), (span) => {
        const rows = piecesOf(span).map(({ from, to, resolution }) => (to - from) / resolution);

        expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(26 + 32);
      }),
    );
  });
});

/** All rows that a reading finds if every slot has events. */
function rowsRead(of: readonly Span[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const reading = readingOf(of);
  for (const { resolution, from, to } of reading.pieces) {
    for (let bucket = from; bucket < to; bucket += resolution) {
      const index = reading.indexOf(resolution, bucket);
      if (index === undefined) continue;
      const slots = found.get(index) ?? [];
      found.set(index, slots);
      for (let slot = bucket; slot < bucket + resolution; slot += 1) slots.push(slot);
    }
  }
  return found;
}

test("a reading of many spans finds each of their slots once", () => {
  fc.assert(
    fc.property(spans(40 * DAY), zones, someInterval, (span, timezone, interval) => {
      const points = pointsOf(span, { interval, timezone }, 2_000);

      const read = rowsRead(points);

      for (const [index, { from, to }] of points.entries()) {
        const slots = (read.get(index) ?? []).toSorted((one, other) => one - other);
        expect(slots).toEqual(Array.from({ length: to - from }, (_, offset) => from + offset));
      }
    }),
    { numRuns: 50 },
  );
});

test("a bucket of each resolution contains its slot", () => {
  fc.assert(
    fc.property(starts, (slot) => {
      for (const resolution of resolutions) {
        const bucket = bucketOf(slot, resolution);
        expect(bucket).toBeLessThanOrEqual(slot);
        expect(slot).toBeLessThan(bucket + resolution);
      }
    }),
  );
});

/** The longest a point may be, in slots: its days, each an hour longer than usual. */
const longest: Readonly<Record<Interval, number>> = {
  hour: 8,
  day: 25 * 4,
  week: (7 * 24 + 1) * 4,
  month: (31 * 24 + 1) * 4,
};

describe("the points of a period", () => {
  test("cover the period without gaps in any time zone", () => {
    fc.assert(
      fc.property(spans(90 * DAY), zones, someInterval, (span, timezone, interval) => {
        const points = pointsOf(span, { interval, timezone }, 3_000);

        expect(points[0]?.from).toBe(span.from);
        expect(points.at(-1)?.to).toBe(span.to);
        for (const [index, { from, to }] of points.entries()) {
          expect(to).toBeGreaterThan(from);
          expect(to - from).toBeLessThanOrEqual(longest[interval]);
          expect(points[index + 1]?.from ?? span.to).toBe(to);
        }
      }),
    );
  });

  test("begin with the hour, the day, the Monday or the month", () => {
    fc.assert(
      fc.property(spans(90 * DAY), zones, someInterval, (span, timezone, interval) => {
        const points = pointsOf(span, { interval, timezone }, 3_000).slice(1);

        for (const { from } of points) {
          const local = localTime(from, timezone);
          expect(local.minute).toBe(0);
          if (interval !== "hour") expect(local.startOfDay().equals(local)).toBeTrue();
          if (interval === "week") expect(local.dayOfWeek).toBe(1);
          if (interval === "month") expect(local.day).toBe(1);
        }
      }),
    );
  });

  test("have distinct labels", () => {
    fc.assert(
      fc.property(spans(30 * DAY), zones, someInterval, (span, timezone, interval) => {
        const points = pointsOf(span, { interval, timezone }, 3_000);
        const labels = points.map(({ from }) => labelOf(from, { interval, timezone }));

        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });
});

function slotOf(text: string): number {
  return slotAt(Date.parse(text));
}

/** The hours of each point. */
function hoursOf(points: readonly Span[]): number[] {
  return points.map(({ from, to }) => (to - from) / 4);
}

describe("where clocks change", () => {
  const berlin = "Europe/Berlin";

  test("the day in spring has 23 hours, the one in autumn 25", () => {
    const spring = { from: slotOf("2026-03-27T23:00Z"), to: slotOf("2026-03-30T22:00Z") };
    const autumn = { from: slotOf("2026-10-23T22:00Z"), to: slotOf("2026-10-26T23:00Z") };

    const days = [spring, autumn].map((span) =>
      hoursOf(pointsOf(span, { interval: "day", timezone: berlin }, 10)),
    );

    expect(days).toEqual([
      [24, 23, 24],
      [24, 25, 24],
    ]);
  });

  test("the repeated hour is two points with different offsets", () => {
    const span = { from: slotOf("2026-10-24T23:00Z"), to: slotOf("2026-10-25T03:00Z") };
    const options = { interval: "hour", timezone: berlin } as const;

    const labels = pointsOf(span, options, 10).map(({ from }) => labelOf(from, options));

    expect(labels).toEqual([
      "2026-10-25T01:00+02:00",
      "2026-10-25T02:00+02:00",
      "2026-10-25T02:00+01:00",
      "2026-10-25T03:00+01:00",
    ]);
  });

  test("the skipped hour is no point", () => {
    const span = { from: slotOf("2026-03-29T00:00Z"), to: slotOf("2026-03-29T03:00Z") };
    const options = { interval: "hour", timezone: berlin } as const;

    const labels = pointsOf(span, options, 10).map(({ from }) => labelOf(from, options));

    expect(labels).toEqual([
      "2026-03-29T01:00+01:00",
      "2026-03-29T03:00+02:00",
      "2026-03-29T04:00+02:00",
    ]);
  });

  test("a day without midnight begins at its first minute", () => {
    const span = { from: slotOf("2026-04-22T22:00Z"), to: slotOf("2026-04-25T21:00Z") };

    const points = pointsOf(span, { interval: "day", timezone: "Africa/Cairo" }, 10);

    expect(hoursOf(points)).toEqual([24, 23, 24]);
  });
});

describe("the previous period", () => {
  const day = (text: string, timezone: string) =>
    slotAt(Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds);
  const between = (from: string, to: string, timezone: string): Span => ({
    from: day(from, timezone),
    to: day(to, timezone),
  });

  test.each([
    ["a month", "2026-03-01", "2026-04-01", "2026-02-01"],
    ["a quarter", "2026-01-01", "2026-04-01", "2025-10-01"],
    ["a year", "2025-01-01", "2026-01-01", "2024-01-01"],
    ["thirty days", "2026-03-10", "2026-04-09", "2026-02-08"],
    ["a day", "2026-03-29", "2026-03-30", "2026-03-28"],
  ])("of %s has the same length on the calendar", (_, ...dates) => {
    const [from, to, expected] = dates;
    const span = between(from, to, "Europe/Berlin");

    expect(periodBefore(span, "Europe/Berlin")).toEqual(between(expected, from, "Europe/Berlin"));
  });

  test("of hours has as many hours", () => {
    const span = { from: slotOf("2026-03-29T10:15Z"), to: slotOf("2026-03-29T13:00Z") };

    expect(periodBefore(span, "Europe/Berlin")).toEqual({
      from: slotOf("2026-03-29T07:30Z"),
      to: span.from,
    });
  });
});
