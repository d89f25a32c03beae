// Workflow: calls the gateway for the disputes of a payment, and takes over what it lists. Safe to repeat at any time.

import { isCurrency } from "#kernel/currency.ts";
import { newId } from "#kernel/id.ts";
import { arrow } from "#kernel/machine.ts";
import type { FoundDisputes } from "#payments/port/gateway.ts";
import { callGateway, type PaymentsShop } from "#payments/port/payments-shop.ts";
import { actionTo, disputeLife, type FoundDispute } from "#payments/rows/dispute-life.ts";
import { disputeRows, findDisputesOfPayment } from "#payments/rows/dispute-queries.ts";
import {
  type Dispute,
  disputeTimer,
  isOver,
  nextDisputePollAt,
  unansweredPollAt,
} from "#payments/rows/dispute.ts";
import { disputeMoved } from "#payments/rows/events.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { findPaymentRow } from "#payments/rows/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { dueTimeOf, planTimer } from "#platform/scheduler/timers.ts";

import { advanceDispute } from "./advance-dispute.ts";

/**
 * Afterwards the shop's disputes say what the gateway reports, and the next poll is planned. Returns whether they do:
 * false if the gateway did not answer.
 */
export async function pollDisputes(shop: PaymentsShop, paymentId: string): Promise<boolean> {
  const { database, gateways } = shop;
  const payment = await findPaymentRow(database.read, paymentId);
  if (payment === undefined) return true;
  const gateway = gateways.find(({ id }) => id === payment.gateway);
  if (gateway?.findDisputes === undefined) return true;
  const seen = await dueTimeOf(database.read, disputeTimer, paymentId);
  const before = await findDisputesOfPayment(database.read, paymentId);
  const known = before.filter((one) => !isOver(one)).map(({ name }) => name);
  const found = await callGateway<FoundDisputes>(shop, payment, {
    call: "findDisputes",
    run: async (at, attempt, terms) =>
      at.findDisputes?.(attempt, known, terms) ?? { kind: "unknown" },
    absent: { kind: "unknown" },
    broken: { kind: "unknown" },
  });
  const isAnswered = found.kind === "found";
  await database.write(
    async (tx) => {
      const disputes = isAnswered ? await adoptDisputes(tx, payment, found.disputes) : before;
      const dueAt = isAnswered
        ? nextDisputePollAt(disputes, tx.now)
        : unansweredPollAt(disputes, payment, tx.now);
      await planTimer(tx, { name: disputeTimer, subject: payment.id, dueAt }, seen);
    },
    { actor: { type: "gateway", id: payment.gateway } },
  );
  return isAnswered;
}

/** Afterwards the shop's disputes say what the gateway reports. Returns all of the payment. */
export async function adoptDisputes(
  tx: Tx,
  payment: Payment,
  found: readonly FoundDispute[],
): Promise<Dispute[]> {
  const known = await findDisputesOfPayment(tx, payment.id);
  for (const one of found) {
    const own = known.find(({ name }) => name === one.name);
    if (own === undefined) await open(tx, payment, one);
    else if (isNews(own, one)) await update(tx, own, one);
  }
  return findDisputesOfPayment(tx, payment.id);
}

/** One in a currency that the shop does not know is told as it is, and not taken over. */
async function open(tx: Tx, payment: Payment, found: FoundDispute): Promise<void> {
  const { currency, amountMinor, reason, money, dueAt, name, status } = found;
  if (payment.gateway === null || !isCurrency(currency)) return;
  const dispute: Dispute = {
    id: newId("dispute", tx.now),
    paymentId: payment.id,
    orderId: payment.orderId,
    gateway: payment.gateway,
    name,
    status,
    amountMinor,
    currency,
    reason,
    money,
    dueAt,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await disputeRows.insert(tx, dispute);
  await tx.emit(disputeMoved("payment.disputed", dispute));
}

function isNews(dispute: Dispute, { status, money, dueAt, amountMinor }: FoundDispute): boolean {
  return (
    dispute.status !== status ||
    dispute.money !== money ||
    dispute.dueAt !== dueAt ||
    dispute.amountMinor !== amountMinor
  );
}

async function update(tx: Tx, dispute: Dispute, found: FoundDispute): Promise<void> {
  const { status, money, dueAt, amountMinor } = found;
  const action = dispute.status === status ? null : actionTo[status];
  const isAllowed = action !== null && arrow(disputeLife, dispute.status, action) !== null;
  // A status to which no life leads is no news of the money either: a lost dispute that is archived is still lost.
  if (dispute.status !== status && !isAllowed) return;
  await advanceDispute(tx, dispute, { action, change: { money, dueAt, amountMinor } });
}
