// Books the next events of the log, or all of it again. Invariant: rows, sums and cursor change in one commit, so each
// event is booked once, even after a crash. The cursor is locked first, so programs book in turn.

import { dayAt, nextTurn } from "#kernel/time.ts";
import type { Database, Reader, Tx } from "#platform/database/database.ts";
import { eventsAfter, lastSequence, type LoggedEvent } from "#platform/event-log/event-log.ts";
import {
  findLogCursor,
  forgetLogCursor,
  lockLogCursor,
  moveLogCursor,
} from "#platform/event-log/log-cursors.ts";
import { emptyTables } from "#platform/event-log/reset.ts";
import type { Pace } from "#platform/scheduler/paced-work.ts";
import { getStore } from "#shop/store/lookups.ts";

import { bookingsOf, CONSUMER, dayNumberOf, isBooked } from "./booking.ts";
import { completed } from "./older-events.ts";
import { isPayload } from "./payload.ts";
import { addToDay, insertBooking } from "./queries.ts";
import type { BookingRow } from "./tables.ts";

/** Events per commit: a few milliseconds, the longest that a request waits behind it. */
const EVENTS_PER_COMMIT = 100;

/** Nothing waits for the background: at most 2.5 % of the time is work. */
export const booksPace: Pace = { collectMs: 250, busyFactor: 39, busyMs: 250 };

/** Books the next events. Returns whether there may be more. */
export async function projectBookings(tx: Tx): Promise<boolean> {
  const from = await lockLogCursor(tx, CONSUMER);
  // Read before the events: the cursor must not pass events that are committed in between.
  const last = await lastSequence(tx);
  // By their sequence alone: those of some names would be sorted anew for each step.
  const found = await eventsAfter(tx, { after: from, limit: EVENTS_PER_COMMIT });
  // After a reset the log is empty but its sequence continues.
  const to = found.at(-1)?.sequence ?? last;
  if (to === from) return false;
  await moveLogCursor(tx, CONSUMER, { from, to });
  const { timezone } = await getStore(tx);
  for (const event of found) {
    for (const row of await rowsOf(tx, event, timezone)) {
      const { entry: _, line: __, ...sum } = row;
      await insertBooking(tx, row);
      await addToDay(tx, { ...sum, count: 1 });
    }
  }
  return found.length === EVENTS_PER_COMMIT;
}

/** The rows of an event in a time zone; none of one that was triggered to try a receiver. */
export async function rowsOf(
  db: Reader,
  event: LoggedEvent,
  timezone: string,
): Promise<BookingRow[]> {
  if (!isBooked(event.name)) return [];
  const data: unknown = JSON.parse(event.data);
  if (!isPayload(data) || data["triggered"] === true) return [];
  const { receivedOn, rows } = bookingsOf(event.name, await completed(db, event, data));
  if (rows.length === 0) return [];
  const bookedOn = dayNumberOf(receivedOn ?? dayAt(event.createdAt, timezone));
  return rows.map((row, line) => ({ entry: event.sequence, line, bookedOn, ...row }));
}

/** How many events of the log are not booked yet. */
async function countBehind(db: Reader): Promise<number> {
  return Math.max(0, (await lastSequence(db)) - (await findLogCursor(db, CONSUMER)));
}

/** Empties the books and books the whole log. Returns the last booked sequence. */
export async function rebuildBooks(database: Database): Promise<number> {
  await database.write(async (tx) => {
    await forgetLogCursor(tx, CONSUMER);
    await emptyTables(tx, ["bookings", "booking_days"]);
  });
  while ((await countBehind(database.read)) > 0) {
    await nextTurn();
    await database.write(projectBookings);
  }
  return findLogCursor(database.read, CONSUMER);
}
