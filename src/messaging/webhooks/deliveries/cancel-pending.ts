// Story: cancel the pending deliveries of an endpoint.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import { findPending } from "./queries.ts";
import { deleteReplay } from "./replay-queries.ts";

/** Deliveries per commit: a failing endpoint can have those of five days pending. */
const BATCH_SIZE = 1_000;

/**
 * Deletes the endpoint's replay and cancels a batch of its pending deliveries; attempts in flight
 * finish. Returns whether more may be pending.
 */
export async function cancelPending(tx: Tx, endpointId: Id<"webhook">): Promise<boolean> {
  await deleteReplay(tx, endpointId);
  const found = await findPending(tx, endpointId, BATCH_SIZE);
  for (const delivery of found) await advanceDelivery(tx, delivery, { action: "cancel" });
  return found.length === BATCH_SIZE;
}
