// Lookups: the balance of every account at the end of a day, and the entries that it is made of.

import type { CurrencyCode } from "#kernel/currency.ts";
import { isId } from "#kernel/id.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import { dayAt } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type Account, type CUSTOMERS, customersOf, dayNumberOf, dayOfNumber } from "./booking.ts";
import {
  type EntryFilters,
  findEntryRows,
  findFirstDay,
  listPlaces,
  type Place,
  sumAccounts,
} from "./queries.ts";

/** An amount of an account, minor units: above zero for a debit. */
export interface Posting {
  readonly currency: CurrencyCode;
  readonly account: Account | typeof CUSTOMERS;
  readonly detail: string;
  readonly amountMinor: number;
}

export interface Balance {
  /** Such as 2026-01-31. */
  readonly day: string;
  /** The first day that is booked; null if none is. */
  readonly since: string | null;
  /** Those that are balanced are left out; what customers owe, or have to get, is the last of its currency. */
  readonly accounts: readonly Posting[];
}

/** Returns what each account has at the end of a day in the shop's time zone; of that of `now` if none is named. */
export async function readBalance(
  db: Reader,
  asked: {
    readonly on: string | undefined;
    readonly currency: CurrencyCode | undefined;
    readonly now: number;
  },
): Promise<Balance> {
  const day = asked.on ?? dayAt(asked.now, (await getStore(db)).timezone);
  const { currency } = asked;
  const sums = await sumAccounts(db, { bookedOn: dayNumberOf(day), currency });
  const first = await findFirstDay(db);
  return {
    day,
    since: first === null ? null : dayOfNumber(first),
    accounts: balanced(sums.filter(({ amountMinor }) => amountMinor !== 0)),
  };
}

/** The rows with what makes them balance, by currency. */
function balanced(rows: readonly Posting[]): Posting[] {
  return [...Map.groupBy(rows, ({ currency }) => currency).values()].flatMap((of) => [
    ...of,
    ...customersOf(of),
  ]);
}

/** One event as it is booked. */
export interface BookedEntry {
  /** The sequence of the event. */
  readonly entry: number;
  readonly bookedOn: string;
  readonly event: string;
  readonly eventId: string;
  readonly orderId: string | null;
  readonly postings: readonly Posting[];
}

/** Lists the entries, the latest day first. */
export async function listEntries(
  db: Reader,
  filters: EntryFilters,
  page: PageRequest,
): Promise<Page<BookedEntry>> {
  const before = page.after === null ? END : placeAt(page.after);
  const found = await listPlaces(db, filters, { before, rows: page.limit + 1 });
  const places = found.slice(0, page.limit);
  const rows = await findEntryRows(
    db,
    places.map(({ entry }) => entry),
  );
  const byEntry = Map.groupBy(rows, ({ entry }) => entry);
  return {
    hasMore: found.length > page.limit,
    rows: places.flatMap(({ entry, bookedOn }) => {
      const of = byEntry.get(entry) ?? [];
      return of.slice(0, 1).map(({ event, eventId, subject }) => ({
        entry,
        bookedOn: dayOfNumber(bookedOn),
        event,
        eventId,
        orderId: isId("order", subject) ? subject : null,
        postings: balanced(of),
      }));
    }),
  };
}

/** After all entries. */
const END: Place = { bookedOn: dayNumberOf("9999-12-31"), entry: 0 };

/** The value that a cursor keeps of an entry. */
export function placeOf({ bookedOn, entry }: BookedEntry): string {
  return `${bookedOn} ${entry}`;
}

function placeAt(after: string): Place {
  const [day = "", entry] = after.split(" ");
  return { bookedOn: dayNumberOf(day), entry: Number(entry) };
}
