// Workflow: asks the gateway for the disputes of a payment. Safe to repeat at any time.

import { DAY_MS, MINUTE_MS } from "#kernel/time.ts";
import type { FoundDisputes } from "#payments/gateways/port.ts";
import type { Payment } from "#payments/payments/payment.ts";
import { askGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findPaymentRow } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { adoptDisputes } from "./adopt-disputes.ts";
import { disputeTimer, nextDisputePollAt } from "./dispute.ts";
import { findDisputesOfPayment } from "./queries.ts";

/** When to ask again after no answer, milliseconds, for a day after the last notice; then daily, as others. */
const UNANSWERED_PAUSE_MS = 5 * MINUTE_MS;

/** Afterwards the shop's disputes say what the gateway reports, and the next poll is planned. */
export async function pollDisputes(shop: PaymentsShop, paymentId: string): Promise<void> {
  const payment = await findPaymentRow(shop.database.read, paymentId);
  if (payment === undefined) return;
  const found = await askGateway<FoundDisputes>(shop, payment, {
    call: "findDisputes",
    ask: async (gateway, attempt, terms) =>
      gateway.findDisputes === undefined
        ? { kind: "found", disputes: [] }
        : gateway.findDisputes(attempt, terms),
    absent: { kind: "unknown" },
    broken: { kind: "unknown" },
  });
  await shop.database.write(
    async (tx) => {
      const disputes =
        found.kind === "found"
          ? await adoptDisputes(tx, payment, found.disputes)
          : await findDisputesOfPayment(tx, payment.id);
      const plannedAt = nextDisputePollAt(disputes, tx.now);
      await plan(tx, payment, found.kind === "found" ? plannedAt : retryAt(tx, payment, plannedAt));
    },
    { actor: { type: "gateway", id: payment.gateway } },
  );
}

function retryAt({ now }: Tx, { noticedAt }: Payment, plannedAt: number | null): number | null {
  const isOld = noticedAt === null || now - noticedAt >= DAY_MS;
  return isOld ? plannedAt : now + UNANSWERED_PAUSE_MS;
}

async function plan(tx: Tx, { id }: Payment, dueAt: number | null): Promise<void> {
  if (dueAt === null) await clearTimer(tx, disputeTimer, id);
  else await setTimer(tx, { name: disputeTimer, subject: id, dueAt });
}
