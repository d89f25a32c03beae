// Story: nothing more is sent to an endpoint.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import { findPending } from "./queries.ts";
import { deleteReplay } from "./replay-queries.ts";

/** A dead endpoint can have waiting for it what happened in five days: one commit takes a piece. */
const AT_ONCE = 1_000;

/**
 * Afterwards there is no replay and less waits for the endpoint; what is under way is left to its
 * end. Answers whether anything still waits.
 */
export async function cancelPending(tx: Tx, endpointId: Id<"webhook">): Promise<boolean> {
  await deleteReplay(tx, endpointId);
  const found = await findPending(tx, endpointId, AT_ONCE);
  for (const delivery of found) await advanceDelivery(tx, delivery, { action: "cancel" });
  return found.length === AT_ONCE;
}
