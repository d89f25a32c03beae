// Story: nobody knows what became of an attempt, so it is made again.

import type { Tx } from "#platform/database/store.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import { insertAttempt, nextAttemptNumber } from "./attempt-queries.ts";
import type { Delivery } from "./delivery.ts";

/**
 * Afterwards the attempt is on record and its delivery waits so long for the next one, milliseconds;
 * it is exhausted where there is none.
 */
export async function recordUnknown(
  tx: Tx,
  delivery: Delivery,
  waitMs: number | null,
): Promise<void> {
  const moved = await advanceDelivery(
    tx,
    delivery,
    waitMs === null ? { action: "exhaust" } : { action: "retry", nextAt: tx.now + waitMs },
  );
  if (moved === null) return;
  await insertAttempt(tx, {
    deliveryId: delivery.id,
    number: await nextAttemptNumber(tx, delivery.id),
    trigger: "schedule",
    outcome: "unknown",
    startedAt: delivery.claimedAt ?? tx.now,
    durationMs: null,
    responseStatus: null,
    failure: null,
    address: null,
    excerpt: "",
    nextAt: moved.nextAt,
  });
}
