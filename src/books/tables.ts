// The tables of the books: rows of the log as the accountant sees them, and their sums by day. Invariant: all rows
// follow from the log up to the cursor "books" and can be made anew from it. No row has a name.

import type { CurrencyCode } from "#kernel/currency.ts";
import { index, int, money, primaryKey, table, text } from "#platform/database/kit.ts";

import type { Account } from "./booking.ts";

/** The name of the log cursor. */
export const CONSUMER = "books";

/** Rows of entries. The change of what the customer owes is never stored: it is what the rows do not add up to. */
export const bookings = table(
  "bookings",
  {
    /** The sequence of the event. */
    entry: int().notNull(),
    line: int().notNull(),
    /** Days since 1970-01-01, in the shop's time zone. */
    bookedOn: int("booked_on").notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    account: text().$type<Account>().notNull(),
    detail: text().notNull(),
    /** Above zero for a debit. */
    amountMinor: money("amount_minor").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.entry, row.line] }),
    index("bookings_day_index").on(row.bookedOn, row.entry),
  ],
);

export const bookingDays = table(
  "booking_days",
  {
    bookedOn: int("booked_on").notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    account: text().$type<Account>().notNull(),
    detail: text().notNull(),
    amountMinor: money("amount_minor").notNull(),
    count: int().notNull(),
  },
  (row) => [primaryKey({ columns: [row.bookedOn, row.currency, row.account, row.detail] })],
);

export type BookingRow = typeof bookings.$inferSelect;
