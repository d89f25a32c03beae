// The routes of the books. Each waits until all events of before it are booked.

import { analyticsBehind } from "#platform/event-log/catch-up.ts";
import { listRoute, readRoute, type Route } from "#platform/http/contract/route.ts";

import { type BooksShop, requireBooked } from "./books-shop.ts";
import { listEntries, placeOf, readBalance } from "./read-books.ts";
import { readCashUp } from "./read-cash-up.ts";
import {
  balanceQuerySchema,
  balanceWire,
  cashUpQuerySchema,
  cashUpWire,
  entryQuerySchema,
  entryWire,
  readEntryQuery,
} from "./schema.ts";

const tag = "Books";
const booked = { prepare: requireBooked, refusals: [analyticsBehind] };

export const bookRoutes: readonly Route<BooksShop>[] = [
  readRoute({
    ...booked,
    method: "GET",
    path: "/v2/cash-up",
    operationId: "retrieveCashUp",
    tag: "Payments",
    summary: "Retrieve what came in on a day, by method and person",
    description:
      "Payments that succeeded on the day, those by hand on the day on which the money came where one was told; what corrections changed; and refunds that ended on it. What happens later counts on its own day, so a day that is over changes only by money that is recorded for it afterwards. Money that was sent back from review never counted.",
    scopes: ["payments:read"],
    query: cashUpQuerySchema,
    response: cashUpWire,
    handler: (db, { query, now }) => readCashUp(db, { day: query.day, now }),
  }),
  readRoute({
    ...booked,
    method: "GET",
    path: "/v2/books/balance",
    operationId: "retrieveBooksBalance",
    tag,
    summary: "Retrieve the balance of each account at the end of a day",
    description:
      "`money` by the way on which it came, or by the gateway that has it; `sales`, `kept` and `tax` of what was sold; `write_offs`; `fees` and `unassigned` money of payouts. An event is booked on its day, a payment by hand on the day on which the money came where one was told, and nothing else is dated back.",
    scopes: ["books:read"],
    query: balanceQuerySchema,
    response: balanceWire,
    handler: (db, { query: { on, currency }, now }) => readBalance(db, { on, currency, now }),
  }),
  listRoute({
    ...booked,
    method: "GET",
    path: "/v2/books/entries",
    operationId: "listBooksEntries",
    tag,
    summary: "List the entries of the books, the latest day first",
    description:
      "An entry is an event as it is booked. Its amounts are as in the balance, of which they are the change.",
    scopes: ["books:read"],
    query: entryQuerySchema,
    response: entryWire,
    cursorOf: placeOf,
    handler: (db, { query, page }) => listEntries(db, readEntryQuery(query), page),
  }),
];
