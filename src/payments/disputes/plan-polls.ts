// When the disputes of a payment are polled, beside the plan of those that are known.

import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { disputeTimer } from "./dispute.ts";
import { findDisputesOfPayment } from "./queries.ts";

/** Afterwards the gateway is polled next: it has news of a dispute. */
export async function planDisputePoll(tx: Tx, paymentId: string): Promise<void> {
  await setTimer(tx, { name: disputeTimer, subject: paymentId, dueAt: tx.now });
}

/** The same, unless one is known, which is polled by its plan: a notice of this one was lost, or came too early. */
export async function planFirstDisputePoll(tx: Tx, paymentId: string): Promise<void> {
  const known = await findDisputesOfPayment(tx, paymentId);
  if (known.length === 0) await planDisputePoll(tx, paymentId);
}
