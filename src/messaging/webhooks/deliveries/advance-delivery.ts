// The only writer of a delivery's status: checks the life table, then compares and sets.

import { type ActionOf, arrow } from "#kernel/machine.ts";
import type { Tx } from "#platform/database/database.ts";

import { deliveryLife, type DeliveryStatus } from "./delivery-life.ts";
import type { Delivery } from "./delivery.ts";
import { moveDelivery } from "./queries.ts";

export interface DeliveryAdvance {
  readonly action: ActionOf<typeof deliveryLife>;
  readonly attempts?: number;
  /** When a pending delivery is due; now by default. */
  readonly nextAt?: number;
  /** The claim of a delivery in `sending`. */
  readonly claim?: string;
}

/**
 * Moves the delivery to its next state and returns it. Returns null and writes nothing if the life
 * table does not allow the action or if the delivery changed since it was read.
 */
export async function advanceDelivery(
  tx: Tx,
  before: Delivery,
  advance: DeliveryAdvance,
): Promise<Delivery | null> {
  const step = arrow(deliveryLife, before.status, advance.action);
  if (step === null) return null;
  const attempts = advance.attempts ?? before.attempts;
  const change = { attempts, ...fieldsOf(step.next, advance, tx.now) };
  const moved = await moveDelivery(tx, {
    id: before.id,
    from: before.status,
    fromAttempts: before.attempts,
    fromClaim: before.claim ?? "",
    ...change,
  });
  return moved ? { ...before, ...change } : null;
}

/** The columns that depend on the status. */
function fieldsOf(status: DeliveryStatus, { nextAt, claim }: DeliveryAdvance, now: number) {
  const cleared = { nextAt: null, claim: null, claimedAt: null, finishedAt: null };
  if (status === "pending") return { ...cleared, status, nextAt: nextAt ?? now };
  if (status === "sending") return { ...cleared, status, claim: claim ?? null, claimedAt: now };
  return { ...cleared, status, finishedAt: now };
}
