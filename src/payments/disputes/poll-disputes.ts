// Workflow: calls the gateway for the disputes of a payment. Safe to repeat at any time.

import type { FoundDisputes } from "#payments/gateways/port.ts";
import { callGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findPaymentRow } from "#payments/payments/queries.ts";
import { dueTimeOf, planTimer } from "#platform/scheduler/timers.ts";

import { adoptDisputes } from "./adopt-disputes.ts";
import { disputeTimer, isOver, nextDisputePollAt, unansweredPollAt } from "./dispute.ts";
import { findDisputesOfPayment } from "./queries.ts";

/**
 * Afterwards the shop's disputes say what the gateway reports, and the next poll is planned. Returns whether they do: false
 * if the gateway did not answer.
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
