// SQL of the bookings and their sums by day.

import { and, asc, gt, lte, sql } from "drizzle-orm";

import type { Reader } from "#platform/database/database.ts";
import { prepared, preparedAdd, preparedInsert } from "#platform/database/prepared.ts";

import { bookingDays, type BookingRow, bookings } from "./tables.ts";

export const insertBooking = preparedInsert(bookings);
export const addToDay = preparedAdd(bookingDays, {
  key: ["bookedOn", "currency", "account", "detail"],
  sums: ["amountMinor", "count"],
});

const between = prepared<{ after: number; until: number }>()((db, at) =>
  db
    .select()
    .from(bookings)
    .where(and(gt(bookings.entry, at.after), lte(bookings.entry, at.until)))
    .orderBy(asc(bookings.entry), asc(bookings.line)),
);
const differing = prepared()((db) => {
  const days = sql`booked_on, currency, account, detail`;
  return db
    .select({
      bookedOn: sql<number>`booked_on`.mapWith(Number),
      currency: sql<string>`currency`,
      account: sql<string>`account`,
      detail: sql<string>`detail`,
      bookedMinor: sql<number>`sum(minor)`.mapWith(Number),
      bookedRows: sql<number>`sum(lines)`.mapWith(Number),
      storedMinor: sql<number>`sum(stored_minor)`.mapWith(Number),
      storedRows: sql<number>`sum(stored_lines)`.mapWith(Number),
    })
    .from(
      sql`(SELECT ${days}, amount_minor AS minor, 1 AS lines, 0 AS stored_minor, 0 AS stored_lines FROM ${bookings}
        UNION ALL SELECT ${days}, 0, 0, amount_minor, count FROM ${bookingDays}) AS sums`,
    )
    .groupBy(days)
    .having(sql`sum(minor) <> sum(stored_minor) OR sum(lines) <> sum(stored_lines)`)
    .orderBy(days);
});

/** The rows of the entries after a sequence and up to another, in their order. */
export function listBookings(
  db: Reader,
  span: { readonly after: number; readonly until: number },
): Promise<BookingRow[]> {
  return between(db, span);
}

/** The days of which the stored sum is not that of its rows. */
export function listWrongDays(db: Reader) {
  return differing(db, {});
}
