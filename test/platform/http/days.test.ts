// Days in the filters of a list become instants in the time zone of the store.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { readDays } from "#platform/http/calls/read-query.ts";

const inZone = (query: Readonly<Record<string, unknown>>, timezone: string) =>
  readDays(query, async () => timezone);

test.each([
  ["Africa/Nairobi", "2026-01-30T21:00:00.000Z", "2026-01-31T20:59:59.999Z"],
  ["UTC", "2026-01-31T00:00:00.000Z", "2026-01-31T23:59:59.999Z"],
  ["America/Lima", "2026-01-31T05:00:00.000Z", "2026-02-01T04:59:59.999Z"],
])("a day in %s begins and ends there", async (timezone, begin, end) => {
  const day = "2026-01-31";
  const query = {
    "paid_at[gte]": day,
    "paid_at[gt]": day,
    "paid_at[lte]": day,
    "paid_at[lt]": day,
  };

  expect(await inZone(query, timezone)).toEqual({
    "paid_at[gte]": begin,
    "paid_at[gt]": end,
    "paid_at[lte]": end,
    "paid_at[lt]": begin,
  });
});

test.each([
  ["Europe/Berlin", "2026-03-29", 23],
  ["Europe/Berlin", "2026-10-25", 25],
  // The clocks skip midnight.
  ["America/Santiago", "2026-09-06", 23],
])("in %s, %s is in as a whole with its %i hours", async (timezone, day, hours) => {
  const found = await inZone({ "created_at[gte]": day, "created_at[lte]": day }, timezone);

  const [from = 0, to = 0] = Object.values(found).map((instant) => Date.parse(String(instant)));
  expect(to + 1 - from).toBe(hours * 3_600_000);
});

test("an instant is within its day, and in no other", async () => {
  const zones = fc.constantFrom("Pacific/Kiritimati", "Asia/Kathmandu", "America/St_Johns", "UTC");
  const instants = fc.integer({ min: 0, max: Date.UTC(2100, 0) });

  await fc.assert(
    fc.asyncProperty(zones, instants, fc.integer({ min: -2, max: 2 }), async (zone, at, away) => {
      const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
      const day = local.toPlainDate().add({ days: away }).toString();

      const found = await inZone({ "created_at[gte]": day, "created_at[lte]": day }, zone);

      const [from = 0, to = 0] = Object.values(found).map((one) => Date.parse(String(one)));
      expect(from <= at && at <= to).toBe(away === 0);
    }),
  );
});

test("a query without a day stays as it is, and no time zone is asked for", async () => {
  const query = { q: "2026-01-31", "created_at[gte]": "2026-01-31T00:00:00Z", number: 1001 };

  const read = await readDays(query, () => Promise.reject(new Error("It was asked for.")));

  expect(read).toBe(query);
});
