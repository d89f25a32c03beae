// The answers of the face of Paystack about what it has: lists, and things by their ids.

import type { Asked, Reply } from "#mocks/vendor-server.ts";

import type { Account } from "./account.ts";
import { PaystackRefusal, reply } from "./errors.ts";
import { disputeOf, refundOf, transactionOf } from "./objects.ts";
import { invalid } from "./requests.ts";

const PAGE_ROWS = 50;

export function done(message: string, data: object): Reply {
  return reply(200, { status: true, message, data });
}

/** The newest first, as its dashboard has them. */
export function listTransactions(account: Account, { query }: Asked): Reply {
  const asked = new URLSearchParams(query);
  const status = asked.get("status");
  const found = [...account.transactions.values()]
    .toReversed()
    .filter(({ state }) => status === null || state.kind === status);
  const rows = pageOf(found, asked).map((one) => transactionOf(account, one));
  return done("Transactions retrieved", rows);
}

export function listRefunds(account: Account, { query }: Asked): Reply {
  const asked = new URLSearchParams(query);
  const id = asked.get("transaction");
  if (id !== null && !/^\d+$/.test(id)) {
    throw invalid("transaction must be the id of a transaction");
  }
  const from = instantOf(asked.get("from"), 0);
  const found = account.refunds
    .filter(
      ({ transaction, createdAt }) =>
        (id ?? transaction.id) === transaction.id && createdAt >= from,
    )
    .filter(({ merchantNote }) => account.listsRefunds || merchantNote === null);
  const rows = pageOf(found, asked).map((refund) => refundOf(account, refund, true));
  return done("Refunds retrieved", rows);
}

export function readRefund(account: Account, id: string): Reply {
  const refund = account.refunds.find((one) => one.id === id);
  if (refund === undefined) throw new PaystackRefusal(404, "Refund not found");
  return done("Refund retrieved", refundOf(account, refund, true));
}

/** Those that began in the span, newest first. */
export function listDisputes(account: Account, { query }: Asked): Reply {
  const asked = new URLSearchParams(query);
  const from = instantOf(asked.get("from"), 0);
  const to = instantOf(asked.get("to"), Infinity);
  const found = account.disputes
    .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    .toReversed();
  const rows = pageOf(found, asked).map((dispute) => disputeOf(account, dispute));
  return done("Disputes retrieved", rows);
}

function instantOf(given: string | null, absent: number): number {
  const instant = given === null ? absent : Date.parse(given);
  if (Number.isNaN(instant)) throw invalid("Dates must be timestamps");
  return instant;
}

export function readDispute(account: Account, id: string): Reply {
  const dispute = account.disputes.find((one) => one.id === id);
  if (dispute === undefined) throw new PaystackRefusal(404, "Dispute not found");
  return done("Dispute retrieved successfully", disputeOf(account, dispute));
}

/** The newest one of the transaction: the vendor's sample has no list. */
export function findDispute(account: Account, id: string): Reply {
  const dispute = account.disputes.findLast(({ transaction }) => transaction.id === id);
  if (dispute === undefined) throw new PaystackRefusal(404, "Dispute not found");
  return done("Dispute retrieved successfully", disputeOf(account, dispute));
}

/** The page that is asked for. */
export function pageOf<Row>(found: readonly Row[], asked: URLSearchParams): readonly Row[] {
  const page = Number(asked.get("page") ?? "1");
  return found.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
}
