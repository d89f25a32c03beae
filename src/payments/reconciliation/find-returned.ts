// Workflow: finds refunds that were made at a gateway, and whose notices were lost or never sent, in the gateways' own
// lists. Safe to repeat at any time.

import { WEEK_MS } from "#kernel/time.ts";
import { planNoticedPoll } from "#payments/notices/plan-noticed-poll.ts";
import type { Payment } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findRefundsOfPayments } from "#payments/refunds/queries.ts";
import type { Tx } from "#platform/database/database.ts";

import { readLists } from "./read-lists.ts";

/** How far back the lists are read, milliseconds: they are read hourly, so this is for notices that were lost for days. */
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
