// Workflow: reads the gateways' own lists of disputes, for one whose notices were all lost. Safe to repeat at any time.

import { DAY_MS } from "#kernel/time.ts";
import { CALL_MS } from "#payments/gateways/call-times.ts";
import type { Gateway, ListedReturn, ListedReturns } from "#payments/gateways/port.ts";
import { findPaymentAt } from "#payments/payments/lookups.ts";
import { callGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import type { Tx } from "#platform/database/database.ts";

import { planDisputePoll } from "./plan-polls.ts";
import { findDisputesOfPayment } from "./queries.ts";

/** Gateways give a merchant days to answer; a server may have been off for some of them. */
const LISTED_MS = 30 * DAY_MS;

/** Afterwards the payment of each dispute of the last 30 days that the shop does not know is polled next. */
export async function findDisputed(shop: PaymentsShop, nowMs: number): Promise<void> {
  for (const gateway of shop.gateways) await findDisputedAt(shop, gateway, nowMs - LISTED_MS);
}

async function findDisputedAt(shop: PaymentsShop, gateway: Gateway, sinceMs: number) {
  const { id } = gateway;
  if (gateway.listDisputes === undefined) return;
  const call = "listDisputes";
  const signal = AbortSignal.timeout(CALL_MS[call]);
  const listed = await callGateway<ListedReturns>(
    shop,
    { gateway: id, call },
    {
      ask: async () => gateway.listDisputes?.(sinceMs, signal) ?? { kind: "unknown" },
      broken: { kind: "unknown" },
    },
  );
  if (listed.kind === "unknown" || listed.returns.length === 0) return;
  await shop.database.write(async (tx) => {
    for (const one of listed.returns) await planPollOf(tx, id, one);
  });
}

/** A dispute of a payment of others at the same account is passed over. */
async function planPollOf(tx: Tx, gateway: string, listed: ListedReturn): Promise<void> {
  const payment = await findPaymentAt(tx, gateway, listed);
  if (payment === undefined) return;
  const known = await findDisputesOfPayment(tx, payment.id);
  if (!known.some(({ name }) => name === listed.name)) await planDisputePoll(tx, payment.id);
}
