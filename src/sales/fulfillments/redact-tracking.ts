// Story: the tracking of an order's shipments is removed, because the carrier tells by it who got them and where.

import type { Tx } from "#platform/database/database.ts";
import type { WholeOrder } from "#sales/orders/order.ts";

import { writeTracking } from "./queries.ts";

/** Afterwards no shipment of the order has a tracking. Returns whether one had; the events are redacted by order. */
export async function redactTracking(tx: Tx, { fulfillments }: WholeOrder): Promise<boolean> {
  const tracked = fulfillments.filter(({ tracking }) => tracking !== null);
  for (const one of tracked) await writeTracking(tx, { ...one, tracking: null });
  return tracked.length > 0;
}
