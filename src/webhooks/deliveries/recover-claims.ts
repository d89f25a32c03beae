// Story: the program ended while it was sending. Nobody knows what arrived, so it is sent again: the
// only case in which a receiver hears of an event again after it said that it has it.

import type { Tx } from "#platform/store/store.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import { insertAttempt, nextAttemptNumber } from "./attempt-queries.ts";
import { type Delivery, waitsMs } from "./delivery.ts";
import { findLostClaims } from "./queries.ts";

const AT_ONCE = 200;

/**
 * Afterwards what was under way at another start of the program waits again and is due, at most so
 * many as one commit should take; an attempt that was the last one stays the last. Answers whether
 * there may be more.
 */
export async function recoverClaims(tx: Tx, claim: string): Promise<boolean> {
  const lost = await findLostClaims(tx, claim, AT_ONCE);
  for (const delivery of lost) await recover(tx, delivery);
  return lost.length === AT_ONCE;
}

async function recover(tx: Tx, delivery: Delivery): Promise<void> {
  const isLast = delivery.attempts >= waitsMs.length;
  const moved = await advanceDelivery(
    tx,
    delivery,
    isLast ? { action: "exhaust" } : { action: "retry", nextAt: tx.now },
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
