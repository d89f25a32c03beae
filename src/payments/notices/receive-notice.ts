// Workflow: a gateway says that something happened. A notice is a hint: it is kept once, and what it
// is about is looked at. Invariant: what is not signed by the gateway leaves nothing behind.

import type { Gateway, Notice } from "#payments/gateways/port.ts";
import { type Payment, paymentTimerNames } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import {
  findPaymentByGatewayReference,
  findRefundsOfPayments,
} from "#payments/payments/queries.ts";
import { isRefundOpen } from "#payments/refunds/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { saveNotice } from "./queries.ts";

/** The exact bytes that came, and their headers. */
export interface ReceivedNotice {
  readonly gateway: string;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

/**
 * Afterwards the notice is in the inbox and a look is due; hints for one payment are one look. False,
 * and nothing happened, where no gateway of ours signed it or nobody can read it.
 */
export async function receiveNotice(
  shop: PaymentsShop,
  received: ReceivedNotice,
): Promise<boolean> {
  const { bytes, headers } = received;
  const gateway = shop.gateways.find((one) => one.id === received.gateway);
  if (gateway === undefined) return false;
  const notice = read(gateway, { bytes, headers });
  if (notice.kind === "reject") return false;
  await shop.database.write(async (tx) => {
    const payment = await findSubject(tx, shop, { gateway: gateway.id, notice });
    const isNew = await saveNotice(tx, {
      gateway: gateway.id,
      dedupKey: notice.dedupKey,
      topic: notice.topic,
      gatewayReference: notice.gatewayReference,
      isIgnored: payment === undefined,
      createdAt: tx.now,
    });
    if (isNew && payment !== undefined) await planPoll(tx, payment, notice.topic);
  });
  return true;
}

function read(
  gateway: Gateway,
  { bytes, headers }: Pick<ReceivedNotice, "bytes" | "headers">,
): Notice {
  try {
    return gateway.parseWebhook(bytes, headers);
  } catch {
    // Whatever a sender puts into a body is no fault of ours; what is not taken comes again.
    return { kind: "reject" };
  }
}

type Signed = Extract<Notice, { kind: "notice" }>;

/** None for what is of another mode, about nothing of ours, or of no consequence. */
async function findSubject(
  tx: Tx,
  { mode }: PaymentsShop,
  { gateway, notice }: { readonly gateway: string; readonly notice: Signed },
): Promise<Payment | undefined> {
  const isOfUse = notice.topic === "payment" || notice.topic === "refund";
  if (notice.gatewayReference === null || notice.mode !== mode || !isOfUse) return undefined;
  return findPaymentByGatewayReference(tx, gateway, notice.gatewayReference);
}

async function planPoll(tx: Tx, payment: Payment, topic: Signed["topic"]): Promise<void> {
  const dueAt = tx.now;
  if (topic === "payment") {
    await setTimer(tx, { name: paymentTimerNames.look, subject: payment.id, dueAt });
    return;
  }
  for (const refund of await findRefundsOfPayments(tx, [payment.id])) {
    if (!isRefundOpen(refund)) continue;
    await setTimer(tx, { name: paymentTimerNames.refund, subject: refund.id, dueAt });
  }
}
