// Every object of the account by its id.

import type { Account } from "./account.ts";
import {
  chargeObject,
  disputeObject,
  payoutObject,
  refundObject,
  transactionObject,
} from "./money-objects.ts";
import { intentObject, type Pages, sessionObject } from "./payment-objects.ts";

/** The object with the id, as it is now; null if the account has none. */
export function objectOf(account: Account, id: string, pages: Pages): object | null {
  return find(account, id, pages) ?? null;
}

function find(account: Account, id: string, pages: Pages): object | undefined {
  switch (id.slice(0, id.indexOf("_"))) {
    case "pi":
      return map(account.intents.find(id), (row) => intentObject(account, row, pages));
    case "cs":
      return map(account.sessions.find(id), (row) => sessionObject(account, row, pages));
    case "ch":
      return map(account.charges.find(id), (row) => chargeObject(account, row));
    case "re":
      return map(account.refunds.find(id), (row) => refundObject(account, row));
    case "dp":
      return map(account.disputes.find(id), (row) => disputeObject(account, row));
    case "po":
      return map(account.payouts.find(id), (row) => payoutObject(account, row));
    case "txn":
      return transactions(account).find((one) => one.id === id);
    default:
      return undefined;
  }
}

/** All balance transactions, oldest first. */
export function transactions(account: Account) {
  return account.books.entries.map((entry) => transactionObject(entry, account.now()));
}

function map<T>(row: T | undefined, build: (row: T) => object): object | undefined {
  return row === undefined ? undefined : build(row);
}
