// Days as pages tell them, also where clocks change.

import { expect, test } from "bun:test";

import { dayOf } from "#dashboard/kit/parts/times.ts";

const zone = "Europe/Berlin";

test.each([
  [
    "the evening of a day with 25 hours",
    "2026-10-25T22:30:00Z",
    "2026-10-24T12:00:00Z",
    "Yesterday",
  ],
  [
    "the first hour after a day with 23 hours",
    "2026-03-29T22:30:00Z",
    "2026-03-29T12:00:00Z",
    "Yesterday",
  ],
  ["the same hour", "2026-03-29T22:30:00Z", "2026-03-28T12:00:00Z", "Saturday 28 March"],
])("in %s the day before is yesterday, and no other", (_, ...terms) => {
  const [now, at, day] = terms;

  expect(dayOf(at, { zone, now: Date.parse(now) })).toBe(day);
});
