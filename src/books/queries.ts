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
  const summed = db
    .select({
      bookedOn: bookings.bookedOn,
      currency: bookings.currency,
      account: bookings.account,
      detail: bookings.detail,
      minor: sql<number>`sum(${bookings.amountMinor})`.as("minor"),
      rows: sql<number>`count(*)`.as("rows_of_day"),
    })
    .from(bookings)
    .groupBy(bookings.bookedOn, bookings.currency, bookings.account, bookings.detail)
    .as("summed");
  return db
    .select({
      bookedOn: summed.bookedOn,
      currency: summed.currency,
      account: summed.account,
      detail: summed.detail,
      expected: sql<number>`cast(${summed.minor} AS bigint)`.mapWith(Number),
      found: sql<number>`coalesce(${bookingDays.amountMinor}, 0)`.mapWith(Number),
    })
    .from(summed)
    .leftJoin(
      bookingDays,
      sql`${bookingDays.bookedOn} = ${summed.bookedOn} AND ${bookingDays.currency} = ${summed.currency} AND ${bookingDays.account} = ${summed.account} AND ${bookingDays.detail} = ${summed.detail}`,
    )
    .where(
      sql`coalesce(${bookingDays.amountMinor}, 0) <> ${summed.minor} OR coalesce(${bookingDays.count}, 0) <> ${summed.rows}`,
    );
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
