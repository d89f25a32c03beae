// Story: what was taken to be sent and was not is put back, as if it had never been taken.

import type { Tx } from "#platform/database/store.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import type { Delivery } from "./delivery.ts";

/** Afterwards the delivery is due again, and the attempt that did not happen does not count. */
export async function releaseClaim(tx: Tx, delivery: Delivery): Promise<void> {
  const attempts = delivery.attempts - 1;
  await advanceDelivery(tx, delivery, { action: "release", attempts, nextAt: tx.now });
}
