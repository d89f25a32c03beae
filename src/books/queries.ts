// SQL of the bookings and their sums by day.

import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";

import type { Reader } from "#platform/database/database.ts";
import {
  prepared,
  preparedAdd,
  preparedByFilters,
  preparedInsert,
} from "#platform/database/prepared.ts";
import { events } from "#platform/database/tables.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";

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
/** Each of these events has one row of money. */
const ofMoney = preparedByFilters<MovesOfDay>()((db, given) =>
  db
    .select({
      sequence: events.sequence,
      name: events.name,
      subject: events.subject,
      actor: events.actor,
      data: events.data,
      currency: bookings.currency,
      amountMinor: bookings.amountMinor,
    })
    .from(bookings)
    .innerJoin(events, eq(events.sequence, bookings.entry))
    .where(
      and(
        eq(bookings.bookedOn, given.one("bookedOn")),
        eq(bookings.account, "money"),
        gt(bookings.entry, given.one("after")),
        inArray(events.name, given.each("names")),
      ),
    )
    .orderBy(asc(bookings.entry))
    .limit(given.one("limit")),
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

interface MovesOfDay {
  readonly bookedOn: number;
  /** Only entries after this one. */
  readonly after: number;
  /** Names of events that have one row of money each. */
  readonly names: readonly string[];
  readonly limit: number;
}

/** A row of money with its event. */
export interface MoneyMove
  extends
    Pick<LoggedEvent, "sequence" | "name" | "subject" | "actor" | "data">,
    Pick<BookingRow, "currency" | "amountMinor"> {}

/** The money that events of these names moved on a day, in the order of the log. */
export function listMoneyMoves(db: Reader, of: MovesOfDay): Promise<MoneyMove[]> {
  return ofMoney(db, of);
}

/** The days of which the stored sum is not that of its rows. */
export function listWrongDays(db: Reader) {
  return differing(db, {});
}
