// Workflows: disputes and refunds whose notices were lost are found in the gateways' own lists. Safe to repeat at any
// time.

import { DAY_MS, WEEK_MS } from "#kernel/time.ts";
import type { Gateway, ListedReturns } from "#payments/port/gateway.ts";
import { guardCall, type PaymentsShop } from "#payments/port/payments-shop.ts";
import { findDisputesOfPayment } from "#payments/rows/dispute-queries.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { findRefundsOfPayments } from "#payments/rows/refund-queries.ts";
import { planDisputePoll, planNoticedPoll } from "#payments/settling/plan-polls.ts";
import type { Tx } from "#platform/database/database.ts";

import { findPaymentAt } from "./notices.ts";

/**
 * How far back the lists are read, milliseconds: they are read hourly, so this is for notices that were lost for
 * days.
 */
const REFUNDS_LISTED_MS = WEEK_MS;

/**
 * Afterwards the payment of each refund of the last seven days, or since `offSinceMs`, that the shop does not know is
 * polled next. Returns whether the lists could be read.
 */
export function findReturned(
  shop: PaymentsShop,
  nowMs: number,
  offSinceMs: number | null = null,
): Promise<boolean> {
  const terms = { nowMs, listedMs: REFUNDS_LISTED_MS, offSinceMs };
  return readLists(shop, { call: "listRefunds", ...terms, plan: planPollOfRefunds });
}

/** As a notice would. */
async function planPollOfRefunds(tx: Tx, payment: Payment, name: string): Promise<void> {
  const known = await findRefundsOfPayments(tx, [payment.id]);
  if (known.some(({ gatewayRefundId }) => gatewayRefundId === name)) return;
  await planNoticedPoll(tx, payment);
}

/** Gateways give a merchant days to answer, milliseconds. */
const DISPUTES_LISTED_MS = 30 * DAY_MS;

/**
 * Afterwards the payment of each dispute of the last 30 days, or since `offSinceMs`, that the shop does not know is
 * polled next. Returns whether the lists could be read.
 */
export function findDisputed(
  shop: PaymentsShop,
  nowMs: number,
  offSinceMs: number | null = null,
): Promise<boolean> {
  const terms = { nowMs, listedMs: DISPUTES_LISTED_MS, offSinceMs };
  return readLists(shop, { call: "listDisputes", ...terms, plan: planPollOfDisputes });
}

async function planPollOfDisputes(tx: Tx, { id }: Payment, name: string): Promise<void> {
  const known = await findDisputesOfPayment(tx, id);
  if (!known.some((one) => one.name === name)) await planDisputePoll(tx, id);
}

interface ListTerms {
  readonly call: "listDisputes" | "listRefunds";
  /** Epoch milliseconds of the real clock. */
  readonly nowMs: number;
  /** How far back the lists are read, milliseconds. */
  readonly listedMs: number;
  /** Since when the program may have been off; null if it was not. */
  readonly offSinceMs: number | null;
  /** Plans a poll of the payment unless the shop knows what the gateway lists under the name. */
  readonly plan: (tx: Tx, payment: Payment, name: string) => Promise<void>;
}

/**
 * Reads the lists; entries of others at the same account are passed over. Returns whether each list was read, from some
 * time on.
 */
async function readLists(shop: PaymentsShop, terms: ListTerms): Promise<boolean> {
  let areRead = true;
  for (const gateway of shop.gateways) {
    if (gateway[terms.call] === undefined) continue;
    areRead = (await readSome(shop, gateway, terms)) && areRead;
  }
  return areRead;
}

/** A list that is too long to be read is read from a later time on. */
async function readSome(shop: PaymentsShop, gateway: Gateway, terms: ListTerms): Promise<boolean> {
  for (const sinceMs of sincesOf(terms)) {
    if (await readList(shop, gateway, { ...terms, sinceMs })) return true;
  }
  return false;
}

/** The earliest first. Lists are read hourly: a day is enough where more is too long. */
function sincesOf({ nowMs, listedMs, offSinceMs }: ListTerms): number[] {
  const sinceMs = nowMs - listedMs;
  const isLonger = offSinceMs !== null && offSinceMs < sinceMs;
  return [...(isLonger ? [offSinceMs] : []), sinceMs, nowMs - DAY_MS];
}

async function readList(
  shop: PaymentsShop,
  gateway: Gateway,
  { call, sinceMs, plan }: Pick<ListTerms, "call" | "plan"> & { readonly sinceMs: number },
): Promise<boolean> {
  const signal = AbortSignal.timeout(shop.callTimes[call]);
  const listed = await guardCall<ListedReturns>(
    shop,
    { gateway: gateway.id, call },
    {
      run: async () => gateway[call]?.(sinceMs, signal) ?? { kind: "unknown" },
      broken: { kind: "unknown" },
    },
  );
  if (listed.kind === "unknown") return false;
  if (listed.returns.length === 0) return true;
  await shop.database.write(async (tx) => {
    for (const one of listed.returns) {
      const payment = await findPaymentAt(tx, gateway.id, one);
      if (payment !== undefined) await plan(tx, payment, one.name);
    }
  });
  return true;
}
