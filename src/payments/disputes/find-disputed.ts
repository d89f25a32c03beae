// Workflow: finds disputes whose notices were all lost in the gateways' own lists. Safe to repeat at any time.

import { DAY_MS } from "#kernel/time.ts";
import type { Payment } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { readLists } from "#payments/reconciliation/read-lists.ts";
import type { Tx } from "#platform/database/database.ts";

import { planDisputePoll } from "./plan-polls.ts";
import { findDisputesOfPayment } from "./queries.ts";

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
