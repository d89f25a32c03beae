// Story: the tracking of a shipment is added or corrected, as it often comes in the evening.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { orderUpdated } from "#sales/orders/events.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import type { Tracking } from "#sales/orders/order-life.ts";
import type { WholeOrder } from "#sales/orders/order.ts";
import { saveOrder } from "#sales/orders/save-order.ts";

import { writeTracking } from "./queries.ts";

export const fulfillmentNotFound = defineRefusal(
  "fulfillment_not_found",
  "not_found",
  "The order has no such fulfillment.",
);

export interface TrackingChange {
  readonly fulfillmentId: Id<"fulfillment">;
  readonly tracking: Tracking | null;
  readonly expected: ExpectedVersion;
}

/**
 * Replaces the tracking and emits `order.updated` with the fulfillment; the same tracking writes nothing.
 * Refuses with `order_not_found`, `fulfillment_not_found` and `stale_version`.
 */
export async function updateTracking(
  tx: Tx,
  id: Id<"order">,
  { fulfillmentId, tracking, expected }: TrackingChange,
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  const known = before.fulfillments.find((one) => one.id === fulfillmentId);
  if (known === undefined) throw fulfillmentNotFound();
  requireVersion(before.order.version, expected);
  if (Bun.deepEquals(known.tracking, tracking)) return before;
  const fulfillment = { ...known, tracking };
  await writeTracking(tx, fulfillment);
  const order = await saveOrder(tx, before.order, {});
  await tx.emit(orderUpdated(order, { changed: ["fulfillments"], fulfillment }));
  return {
    ...before,
    order,
    fulfillments: before.fulfillments.map((one) => (one === known ? fulfillment : one)),
  };
}
