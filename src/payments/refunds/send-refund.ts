// Workflow: sends a refund to its gateway, or asks the gateway what became of it. Safe to repeat: the
// gateway knows the refund by its id.

import { type Id } from "#kernel/id.ts";
import {
  claimCall,
  endCall,
  type GatewayCall,
  newCall,
  orEndCall,
} from "#payments/attempts/gateway-calls.ts";
import type { RefundOutcome } from "#payments/gateways/port.ts";
import { type Payment, paymentTimerNames } from "#payments/payments/payment.ts";
import { askGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { paymentRows } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { refundRows } from "./queries.ts";
import { isWatched, nextRefundPollAt, type Refund, triedAs, triedAt } from "./refund.ts";
import { settleRefund } from "./settle-refund.ts";

/**
 * Afterwards the refund is what the gateway answered; an undecided one is polled later. Callers in
 * this program that overlap share one result. While another program sends the refund, returns it as
 * it stands.
 */
export function sendRefund(shop: PaymentsShop, id: Id<"refund">): Promise<Refund> {
  const { sendingRefunds } = shop;
  const running = sendingRefunds.get(id);
  if (running !== undefined) return running;
  const sending = send(shop, id).finally(() => sendingRefunds.delete(id));
  sendingRefunds.set(id, sending);
  return sending;
}

async function send(shop: PaymentsShop, id: Id<"refund">): Promise<Refund> {
  const { database } = shop;
  const call = newCall(database, id);
  const { refund, payment, isClaimed } = await database.write((tx) => begin(tx, id, call));
  if (!isClaimed) return refund;
  return orEndCall(call, async () => {
    const outcome = await ask(shop, refund, payment);
    return database.write(async (tx) => {
      const after = await settleRefund(tx, id, outcome);
      const isDecided = outcome.kind === "succeeded" || outcome.kind === "failed";
      const isPolled = !isDecided && isWatched(after, payment);
      const dueAt = isPolled ? nextRefundPollAt(after, tx.now) : null;
      const { refund: name } = paymentTimerNames;
      if (dueAt === null) await clearTimer(tx, name, id);
      else await setTimer(tx, { name, subject: id, dueAt });
      await endCall(tx, call);
      return after;
    });
  });
}

/** Claims the call before it reads, so that the refund is the one the previous call left. */
async function begin(tx: Tx, id: Id<"refund">, call: GatewayCall) {
  const isFree = await claimCall(tx, call);
  const refund = await refundRows.get(tx, id);
  const payment = await paymentRows.get(tx, refund.paymentId);
  const isClaimed = isFree && isWatched(refund, payment);
  if (isFree && !isClaimed) await endCall(tx, call);
  return { refund, payment, isClaimed };
}

async function ask(shop: PaymentsShop, refund: Refund, payment: Payment): Promise<RefundOutcome> {
  // Money taken by hand is returned by the merchant: recording the refund confirms it.
  if (payment.gateway === null) return { kind: "succeeded", gatewayRefundId: null };
  const { id: refundId, amountMinor, currency, gatewayRefundId, status } = refund;
  const tried = { reference: triedAs(refund), createdAt: triedAt(refund) };
  return askGateway<RefundOutcome>(shop, payment, {
    ask: (gateway, attempt) => {
      const sent = { refundId, ...tried, amountMinor, currency, gatewayRefundId, attempt };
      return status === "pending" ? gateway.refund(sent) : gateway.verifyRefund(sent);
    },
    absent: { kind: "unknown" },
    broken: { kind: "unknown" },
  });
}
