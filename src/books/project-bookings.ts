// Books the next events of the log, or all of it again.

import { dayAt } from "#kernel/time.ts";
import type { Database, Reader, Tx } from "#platform/database/database.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";
import { projectAnew, type Projection, projectNext } from "#platform/event-log/log-cursors.ts";
import { payloadOf } from "#platform/event-log/payload.ts";
import type { Pace } from "#platform/scheduler/paced-work.ts";
import { getStore } from "#shop/store/lookups.ts";

import { bookingsOf, dayNumberOf, isBooked } from "./booking.ts";
import { completed } from "./older-events.ts";
import { addToDay, insertBooking } from "./queries.ts";
import { type BookingRow, CONSUMER } from "./tables.ts";

/** Nothing waits for the background: at most 2.5 % of the time is work. */
export const booksPace: Pace = { collectMs: 250, busyFactor: 39, busyMs: 250 };

export const booksProjection: Projection = {
  consumer: CONSUMER,
  tables: ["bookings", "booking_days"],
  eventsPerCommit: 100,
  add: async (tx, events) => {
    const { timezone } = await getStore(tx);
    for (const event of events) {
      for (const row of await rowsOf(tx, event, timezone)) {
        const { entry: _, line: __, ...sum } = row;
        await insertBooking(tx, row);
        await addToDay(tx, { ...sum, count: 1 });
      }
    }
  },
};

/** Books the next events. Returns whether there may be more. */
export function projectBookings(tx: Tx): Promise<boolean> {
  return projectNext(tx, booksProjection);
}

/** Empties the books and books the whole log. Returns the last booked sequence. */
export function rebuildBooks(database: Database): Promise<number> {
  return projectAnew(database, booksProjection);
}

/** The rows of an event in a time zone; none of one that was triggered to try a receiver. */
export async function rowsOf(
  db: Reader,
  event: LoggedEvent,
  timezone: string,
): Promise<BookingRow[]> {
  if (!isBooked(event.name)) return [];
  const data = payloadOf(event);
  if (data === null) return [];
  const { receivedOn, rows } = bookingsOf(event.name, await completed(db, event, data));
  if (rows.length === 0) return [];
  const bookedOn = dayNumberOf(receivedOn ?? dayAt(event.createdAt, timezone));
  return rows.map((row, line) => ({ entry: event.sequence, line, bookedOn, ...row }));
}
