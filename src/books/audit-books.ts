// Lookup: compare the books with the log up to their cursor, and the sums by day with the rows.

import type { Difference } from "#kernel/difference.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";
import { getStore } from "#shop/store/lookups.ts";

import { dayOfNumber } from "./booking.ts";
import { rowsOf } from "./project-bookings.ts";
import { listBookings, listWrongDays } from "./queries.ts";
import { type BookingRow, CONSUMER } from "./tables.ts";

const PAGE_SIZE = 1_000;

/**
 * Every entry that differs from its event, and every day that differs from its rows. The day of a row may be another by
 * one: the time zone was changed since. Needs a Reader of one snapshot.
 */
export async function* auditBooks(db: Reader): AsyncGenerator<Difference> {
  const last = await findLogCursor(db, CONSUMER);
  // A database without a store has no events, either.
  const timezone = last === 0 ? "UTC" : (await getStore(db)).timezone;
  for (let after = 0, isMore = true; isMore;) {
    await nextTurn();
    const events = await eventsAfter(db, { after, until: last, limit: PAGE_SIZE });
    isMore = events.length === PAGE_SIZE;
    // Events past the cursor are not booked yet, so rows of them differ.
    const until = (isMore ? events.at(-1)?.sequence : undefined) ?? Number.MAX_SAFE_INTEGER;
    const found = Map.groupBy(await listBookings(db, { after, until }), ({ entry }) => entry);
    for (const event of events) {
      const rows = found.get(event.sequence) ?? [];
      found.delete(event.sequence);
      const expected = await rowsOf(db, event, timezone);
      yield* differenceOf(`entry ${event.sequence}`, expected, rows);
    }
    for (const [entry, rows] of found) yield* differenceOf(`entry ${entry}`, [], rows);
    after = until;
  }
  for (const { bookedOn, currency, account, detail, ...sums } of await listWrongDays(db)) {
    yield {
      subject: `books ${dayOfNumber(bookedOn)} ${currency}`,
      what: `${account} ${detail}`.trim(),
      expected: `${sums.bookedMinor} in ${sums.bookedRows} rows`,
      found: `${sums.storedMinor} in ${sums.storedRows} rows`,
    };
  }
}

function* differenceOf(
  subject: string,
  expected: readonly BookingRow[],
  found: readonly BookingRow[],
): Generator<Difference> {
  const [should, is] = [expected, found].map((rows) => rows.map(printed).join(", "));
  const isSameDay = found.every(
    ({ bookedOn }, line) => Math.abs(bookedOn - (expected[line]?.bookedOn ?? bookedOn)) <= 1,
  );
  if (should === is && isSameDay) return;
  yield { subject, what: "bookings", expected: should || "none", found: is || "none" };
}

function printed({ currency, account, detail, amountMinor }: BookingRow): string {
  return `${account} ${detail} ${amountMinor} ${currency}`;
}
