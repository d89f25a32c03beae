// Workflow: a refund on record goes to the gateway, or somebody looks what became of it. May be
// repeated at any time: the gateway knows the refund by its id.

import { type Id } from "#kernel/id.ts";
import {
  claimCall,
  endCall,
  type GatewayCall,
  orEndCall,
} from "#payments/attempts/gateway-calls.ts";
import type { Gateway, RefundOutcome } from "#payments/gateways/port.ts";
import { isGatewayMethod, paymentTimerNames } from "#payments/payments/payment.ts";
import { attemptOf, gatewayOf, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findPaymentRow, findRefundRow } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { newHolder } from "#platform/database/leases.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { isRefundOpen, nextRefundPollAt, type Refund } from "./refund.ts";
import { settleRefund } from "./settle-refund.ts";

interface RefundCall extends GatewayCall {
  readonly subject: Id<"refund">;
}

/** Refunds that this program sends now, by the shop's gateways: some know no key, and would pay twice. */
const underWay = new WeakMap<readonly Gateway[], Map<string, Promise<Refund>>>();

/**
 * Afterwards the refund is what the gateway says; one that is not decided is looked at later. Whoever
 * asks while it is on its way waits for the same answer; where another program sends it, it is answered
 * as it is.
 */
export function sendRefund(shop: PaymentsShop, id: Id<"refund">): Promise<Refund> {
  const { gateways } = shop;
  const sending = underWay.get(gateways) ?? new Map<string, Promise<Refund>>();
  underWay.set(gateways, sending);
  const known = sending.get(id);
  if (known !== undefined) return known;
  const call = { database: shop.database, subject: id, caller: newHolder(shop.database) };
  const sent = send(shop, call).finally(() => sending.delete(id));
  sending.set(id, sent);
  return sent;
}

async function send(shop: PaymentsShop, call: RefundCall): Promise<Refund> {
  const { database, subject: id } = call;
  const { refund, isOpen } = await database.write((tx) => begin(tx, call));
  if (!isOpen) return refund;
  return orEndCall(call, async () => {
    const outcome = await ask(shop, refund);
    return database.write(async (tx) => {
      const after = await settleRefund(tx, id, outcome);
      const dueAt = isRefundOpen(after) ? nextRefundPollAt(after, tx.now) : null;
      const { refund: name } = paymentTimerNames;
      if (dueAt === null) await clearTimer(tx, name, id);
      else await setTimer(tx, { name, subject: id, dueAt });
      await endCall(tx, call);
      return after;
    });
  });
}

/** The refund as it is once nobody else sends it, and whether it is ours to send. */
async function begin(tx: Tx, call: RefundCall) {
  const isClaimed = await claimCall(tx, call);
  const refund = await findRefundRow(tx, call.subject);
  if (refund === undefined) throw new Error(`There is no refund ${call.subject}.`);
  const isOpen = isClaimed && isRefundOpen(refund);
  if (isClaimed && !isOpen) await endCall(tx, call);
  return { refund, isOpen };
}

async function ask(shop: PaymentsShop, refund: Refund): Promise<RefundOutcome> {
  const payment = await findPaymentRow(shop.database.read, refund.paymentId);
  if (payment === undefined) throw new Error(`${refund.id} belongs to no payment.`);
  // What a person took, a person gives back: whoever records it says that it was done.
  if (!isGatewayMethod(payment.method)) return { kind: "succeeded", gatewayRefundId: null };
  const gateway = gatewayOf(shop, payment);
  if (gateway === null) return { kind: "unknown" };
  const { amountMinor, currency, gatewayRefundId, createdAt } = refund;
  const asked = {
    refundId: refund.id,
    amountMinor,
    currency,
    gatewayRefundId,
    createdAt,
    attempt: attemptOf(payment),
  };
  try {
    return await (refund.status === "pending"
      ? gateway.refund(asked)
      : gateway.verifyRefund(asked));
  } catch {
    // A gateway that breaks off has told nothing: it may have happened.
    return { kind: "unknown" };
  }
}
