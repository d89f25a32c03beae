// Lookup: what a customer has spent. It is summed when it is asked for, and kept nowhere: the orders have it.

import { customerNotFound } from "#customers/customer.ts";
import { findCustomer } from "#customers/lookups.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";

import { totalsOfNext } from "./queries.ts";

export interface TotalsOfCurrency {
  readonly currency: CurrencyCode;
  readonly ordersCount: number;
  /** All that was paid for the orders. */
  readonly paidMinor: number;
  /** The part of it that went back. */
  readonly refundedMinor: number;
}

export interface CustomerTotals {
  readonly customerId: Id<"customer">;
  /** By the code of the currency. */
  readonly currencies: readonly TotalsOfCurrency[];
}

/** SQLite reads so many orders in a few milliseconds, in which nothing else is served. */
const ORDERS_AT_ONCE = 2_000;

/** Sums all orders of the customer. Refuses with `customer_not_found`. */
export async function readCustomerTotals(
  db: Reader,
  customerId: Id<"customer">,
): Promise<CustomerTotals> {
  if ((await findCustomer(db, customerId)) === undefined) throw customerNotFound();
  const totals = new Map<CurrencyCode, TotalsOfCurrency>();
  let after = "";
  for (let read = ORDERS_AT_ONCE; read === ORDERS_AT_ONCE;) {
    const next = await totalsOfNext(db, { customerId, after, rows: ORDERS_AT_ONCE });
    read = 0;
    for (const { lastId, ...one } of next) {
      totals.set(one.currency, sumOf(totals.get(one.currency), one));
      read += one.ordersCount;
      if (lastId > after) after = lastId;
    }
    await nextTurn();
  }
  const currencies = [...totals.values()].toSorted((one, other) =>
    one.currency < other.currency ? -1 : 1,
  );
  return { customerId, currencies };
}

function sumOf(known: TotalsOfCurrency | undefined, next: TotalsOfCurrency): TotalsOfCurrency {
  if (known === undefined) return next;
  return {
    currency: next.currency,
    ordersCount: known.ordersCount + next.ordersCount,
    paidMinor: known.paidMinor + next.paidMinor,
    refundedMinor: known.refundedMinor + next.refundedMinor,
  };
}
