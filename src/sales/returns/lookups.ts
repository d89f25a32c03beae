// Lookups of returns, for other nouns.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";

import { returnsOfCustomer } from "./queries.ts";
import type { ReturnRow } from "./tables.ts";

/** A return with the currency of its order. */
export interface ReturnView extends ReturnRow {
  readonly currency: CurrencyCode;
}

/** Returns what came back of a customer's orders, newest first. */
export function findReturnsOf(db: Reader, customerId: Id<"customer">): Promise<ReturnView[]> {
  return returnsOfCustomer(db, { customerId });
}
