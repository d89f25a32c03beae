// SQL of the bookings and their sums by day.

import { and, asc, desc, eq, gt, gte, inArray, lt, lte, min, sql } from "drizzle-orm";

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import {
  prepared,
  preparedAdd,
  preparedByFilters,
  preparedInsert,
} from "#platform/database/prepared.ts";
import { events } from "#platform/database/tables.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";

import type { Account } from "./booking.ts";
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
const balance = preparedByFilters<BalanceFilters>()((db, given) => {
  const { currency, account, detail } = bookingDays;
  return db
    .select({
      currency,
      account,
      detail,
      amountMinor: sql<number>`sum(${bookingDays.amountMinor})`.mapWith(Number),
    })
    .from(bookingDays)
    .where(
      and(
        lte(bookingDays.bookedOn, given.one("bookedOn")),
        given.has("currency") ? eq(currency, given.one("currency")) : undefined,
      ),
    )
    .groupBy(currency, account, detail)
    .orderBy(asc(currency), asc(account), asc(detail));
});
const firstDay = prepared()((db) =>
  db.select({ day: min(bookingDays.bookedOn) }).from(bookingDays),
);
/** An entry has a first row whatever else it has, and is found by it. */
const places = preparedByFilters<
  EntryFilters & { bookedOn: number; entry: number; rows: number }
>()((db, given) => {
  const { bookedOn, entry, line } = bookings;
  const rowOf = sql`SELECT 1 FROM ${bookings} AS other WHERE other.entry = ${entry}`;
  const eventOf = sql`SELECT sequence FROM ${events}`;
  return db
    .select({ bookedOn, entry })
    .from(bookings)
    .where(
      and(
        eq(line, 0),
        sql`(${bookedOn}, ${entry}) < (${given.one("bookedOn")}, ${given.one("entry")})`,
        given.has("from") ? gte(bookedOn, given.one("from")) : undefined,
        given.has("to") ? lt(bookedOn, given.one("to")) : undefined,
        given.has("subject")
          ? sql`${entry} IN (${eventOf} WHERE ${eq(events.subject, given.one("subject"))})`
          : undefined,
        given.has("account")
          ? sql`EXISTS (${rowOf} AND other.account = ${given.one("account")})`
          : undefined,
      ),
    )
    .orderBy(desc(bookedOn), desc(entry))
    .limit(given.one("rows"));
});
const ofEntries = preparedByFilters<{ readonly entries: readonly number[] }>()((db, given) =>
  db
    .select({
      entry: bookings.entry,
      line: bookings.line,
      bookedOn: bookings.bookedOn,
      currency: bookings.currency,
      account: bookings.account,
      detail: bookings.detail,
      amountMinor: bookings.amountMinor,
      eventId: events.id,
      event: events.name,
      subject: events.subject,
    })
    .from(bookings)
    .innerJoin(events, eq(events.sequence, bookings.entry))
    .where(inArray(bookings.entry, given.each("entries"))),
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

interface BalanceFilters {
  /** The last day that counts. */
  readonly bookedOn: number;
  readonly currency?: CurrencyCode | undefined;
}

/** The sum of each account at the end of a day, those that are balanced included. */
export function sumAccounts(db: Reader, of: BalanceFilters) {
  return balance(db, of);
}

/** The first day that has a booking; null without any. */
export async function findFirstDay(db: Reader): Promise<number | null> {
  return (await firstDay(db, {}))[0]?.day ?? null;
}

export interface EntryFilters {
  /** The first day. */
  readonly from?: number | undefined;
  /** The day after the last. */
  readonly to?: number | undefined;
  readonly account?: Account | undefined;
  /** Only entries of events that are about it. */
  readonly subject?: string | undefined;
}

/** The place of an entry among all, by day and in the order of the log. */
export type Place = Pick<BookingRow, "bookedOn" | "entry">;

/** The places of entries before another, the latest first. */
export function listPlaces(
  db: Reader,
  filters: EntryFilters,
  { before, rows }: { readonly before: Place; readonly rows: number },
): Promise<Place[]> {
  return places(db, { ...filters, ...before, rows });
}

/** A row with its event. */
export interface EntryRow extends BookingRow {
  readonly eventId: Id<"event">;
  readonly event: string;
  readonly subject: string;
}

/** The rows of these entries, each entry's in their order. */
export async function findEntryRows(db: Reader, entries: readonly number[]): Promise<EntryRow[]> {
  if (entries.length === 0) return [];
  return (await ofEntries(db, { entries })).toSorted((one, other) => one.line - other.line);
}

/** The days of which the stored sum is not that of its rows. */
export function listWrongDays(db: Reader) {
  return differing(db, {});
}
