// The books on the wire.

import Type, { type Static } from "typebox";

import { inBounds } from "#kernel/money.ts";
import {
  amountOf,
  at,
  from,
  inBothUnits,
  list,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import {
  choice,
  currency,
  day,
  idOf,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";
import { namedActorShape } from "#shop/entries/schema.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import { accounts, CUSTOMERS, dayNumberOf } from "./booking.ts";
import type { EntryFilters } from "./queries.ts";
import type { Balance, BookedEntry, Posting } from "./read-books.ts";
import type { CashUp, CashUpOfCurrency, Sum, SumByHand, SumOfMethod } from "./read-cash-up.ts";

export const cashUpQuerySchema = object({
  day: optional(
    Type.String({
      ...day,
      description: "A day in the shop's time zone such as 2026-01-31; today by default.",
    }),
  ),
});

const sum = {
  payments: whole(0),
  ...inBothUnits("received", ({ receivedMinor }: Sum) => receivedMinor),
  corrected: amountOf(({ correctedMinor }: Sum) => correctedMinor),
  corrected_minor: from(
    ({ correctedMinor }: Sum) => correctedMinor,
    whole(undefined, undefined, {
      description:
        "What corrections on the day changed, of payments of any day; negative if they took money off.",
    }),
  ),
  refunds: whole(0),
  refunded: amountOf(({ refundedMinor }: Sum) => refundedMinor),
  refunded_minor: from(
    ({ refundedMinor }: Sum) => refundedMinor,
    whole(undefined, undefined, {
      description: "Negative if refunds that were counted on an earlier day failed.",
    }),
  ),
  net: amountOf(netOf),
  net_minor: from(netOf, whole()),
};

function netOf({ receivedMinor, correctedMinor, refundedMinor }: Sum): number {
  return inBounds(receivedMinor + correctedMinor - refundedMinor);
}

const ofMethod = shape<SumOfMethod>()({ method: paymentMethod, ...sum });

const byHand = shape<SumByHand>()({
  method: paymentMethod,
  actor: namedActorShape,
  ...sum,
});

const ofCurrency = shape<CashUpOfCurrency>()({
  currency,
  ...sum,
  by_method: list(ofMethod),
  by_hand: list(byHand, {
    description: "Money that no gateway moved, by who recorded it: what each hands over.",
  }),
});

export const cashUpWire = wire<CashUp>()("CashUp", {
  day: Type.String(day),
  timezone: Type.String(),
  from: at,
  to: at,
  currencies: list(ofCurrency),
});

export const balanceQuerySchema = object({
  on: optional(
    Type.String({
      ...day,
      description: "The last day that counts, in the shop's time zone; today by default.",
    }),
  ),
  currency: optional(currency),
});

const posting = shape<Posting>()(
  {
    account: choice([...accounts, CUSTOMERS]),
    detail: Type.String({
      description:
        "A part of the account: of `money` the way or the gateway, of `sales` and `kept` country and tax class, of `tax` its name and rate. Empty where it has none.",
    }),
    currency,
    amount: amountOf(({ amountMinor }: Posting) => amountMinor),
    amount_minor: whole(undefined, undefined, {
      description: "Above zero for a debit: what the shop has, or is owed.",
    }),
  },
  { name: "Posting" },
);

export const balanceWire = wire<Balance>()("BooksBalance", {
  day: Type.String({ ...day, description: "The last day that counts." }),
  since: nullable(Type.String({ ...day, description: "The first day that is booked." })),
  accounts: list(posting, {
    description:
      "Accounts that are balanced are left out. `customers` is the rest of its currency: above zero what customers owe for what is sold, below zero what the shop holds for them.",
  }),
});

export const entryQuerySchema = object({
  from: optional(Type.String({ ...day, description: "The first day." })),
  to: optional(Type.String({ ...day, description: "The day after the last." })),
  account: optional(choice(accounts, { description: "Only entries that change this account." })),
  order_id: optional(idOf("order")),
});

/** Reads the filters of the list of entries. */
export function readEntryQuery(query: Static<typeof entryQuerySchema>): EntryFilters {
  const { from: first, to, account, order_id: subject } = query;
  return {
    from: first === undefined ? undefined : dayNumberOf(first),
    to: to === undefined ? undefined : dayNumberOf(to),
    account,
    subject,
  };
}

export const entryWire = wire<BookedEntry>()("BooksEntry", {
  entry: whole(1, undefined, { description: "The `sequence` of its event." }),
  booked_on: Type.String({ ...day, description: "The day that it counts on." }),
  event: Type.String({ description: "The name of its event." }),
  event_id: Type.String(),
  order_id: nullable(Type.String()),
  postings: list(posting, { description: "They add up to zero in each currency." }),
});
