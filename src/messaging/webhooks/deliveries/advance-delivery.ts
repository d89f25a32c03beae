// The only writer of a delivery's state: asks the life table, then compares and sets.

import { type ActionOf, arrow } from "#kernel/machine.ts";
import type { Tx } from "#platform/database/database.ts";

import { type Delivery, deliveryLife, type DeliveryStatus } from "./delivery.ts";
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
  advance: DeliveryAdvance,
): Promise<Delivery | null> {
  const step = arrow(deliveryLife, before.status, advance.action);
  if (step === null) return null;
  const attempts = advance.attempts ?? before.attempts;
  const change = { attempts, ...standing(step.next, advance, tx.now) };
  const moved = await moveDelivery(tx, {
    id: before.id,
    from: before.status,
    fromAttempts: before.attempts,
    fromClaim: before.claim ?? "",
    ...change,
  });
  return moved ? { ...before, ...change } : null;
}

/** What a state has and no other. */
function standing(status: DeliveryStatus, { nextAt, claim }: DeliveryAdvance, now: number) {
  const nothing = { nextAt: null, claim: null, claimedAt: null, finishedAt: null };
  if (status === "pending") return { ...nothing, status, nextAt: nextAt ?? now };
  if (status === "sending") return { ...nothing, status, claim: claim ?? null, claimedAt: now };
  return { ...nothing, status, finishedAt: now };
}
