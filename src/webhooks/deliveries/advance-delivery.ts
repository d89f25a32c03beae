// The only writer of a delivery's state: asks the life table, then compares and sets.

import { type ActionOf, arrow } from "#kernel/machine.ts";
import type { Tx } from "#platform/store/store.ts";

import { type Delivery, deliveryLife } from "./delivery.ts";
import { moveDelivery } from "./queries.ts";

export interface DeliveryAdvance {
  readonly action: ActionOf<typeof deliveryLife>;
  readonly attempts?: number;
  /** Only what becomes pending is due at some time. */
  readonly nextAt?: number;
  /** Only what is being sent is claimed. */
  readonly claim?: string;
}

/**
 * Afterwards the delivery is in its next state. Null, and nothing changed, where it has no such way
 * to go or is no longer as it was known.
 */
export async function advanceDelivery(
  tx: Tx,
  before: Delivery,
  { action, attempts = before.attempts, nextAt, claim }: DeliveryAdvance,
): Promise<Delivery | null> {
  const step = arrow(deliveryLife, before.status, action);
  if (step === null) return null;
  const isOver = step.next !== "pending" && step.next !== "sending";
  const change = {
    status: step.next,
    attempts,
    nextAt: step.next === "pending" ? (nextAt ?? tx.now) : null,
    claim: step.next === "sending" ? (claim ?? null) : null,
    claimedAt: step.next === "sending" ? tx.now : null,
    finishedAt: isOver ? tx.now : null,
  };
  const moved = await moveDelivery(tx, {
    id: before.id,
    from: before.status,
    fromAttempts: before.attempts,
    ...change,
  });
  return moved ? { ...before, ...change } : null;
}
