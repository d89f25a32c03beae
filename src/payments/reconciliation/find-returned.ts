// Workflow: reads the gateways' own lists of refunds, for one of a dashboard whose notices were all lost, or of a shop
// without a webhook. Safe to repeat at any time.

import { DAY_MS } from "#kernel/time.ts";
import { CALL_MS } from "#payments/gateways/call-times.ts";
import type { Gateway, ListedReturn, ListedReturns } from "#payments/gateways/port.ts";
import { findPaymentAt } from "#payments/payments/lookups.ts";
import { noticedPollAt, paymentTimerNames } from "#payments/payments/payment.ts";
import { callGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { noteNotice } from "#payments/payments/queries.ts";
import { findRefundsOfPayments } from "#payments/refunds/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

/** A server that was off for longer has news enough of its own. */
const LISTED_MS = 7 * DAY_MS;

/** Afterwards the payment of each refund of the last seven days that the shop does not know is polled next. */
export async function findReturned(shop: PaymentsShop, nowMs: number): Promise<void> {
  for (const gateway of shop.gateways) await findReturnedAt(shop, gateway, nowMs - LISTED_MS);
}

async function findReturnedAt(shop: PaymentsShop, gateway: Gateway, sinceMs: number) {
  const { id } = gateway;
  if (gateway.listRefunds === undefined) return;
  const call = "listRefunds";
  const signal = AbortSignal.timeout(CALL_MS[call]);
  const listed = await callGateway<ListedReturns>(
    shop,
    { gateway: id, call },
    {
      ask: async () => gateway.listRefunds?.(sinceMs, signal) ?? { kind: "unknown" },
      broken: { kind: "unknown" },
    },
  );
  if (listed.kind === "unknown" || listed.returns.length === 0) return;
  await shop.database.write(async (tx) => {
    for (const one of listed.returns) await planPollOf(tx, id, one);
  });
}

/** As a notice would. A refund of a payment of others at the same account is passed over. */
async function planPollOf(tx: Tx, gateway: string, listed: ListedReturn): Promise<void> {
  const payment = await findPaymentAt(tx, gateway, listed);
  if (payment === undefined) return;
  const known = await findRefundsOfPayments(tx, [payment.id]);
  if (known.some(({ gatewayRefundId }) => gatewayRefundId === listed.name)) return;
  await noteNotice(tx, payment.id);
  const dueAt = noticedPollAt(payment, tx.now);
  await setTimer(tx, { name: paymentTimerNames.poll, subject: payment.id, dueAt });
}
