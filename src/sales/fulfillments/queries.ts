// SQL of shipments that change.

import { and, eq, sql } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import { preparedInsert, preparedWrite } from "#platform/database/prepared.ts";
import { preparedRedaction } from "#platform/database/statements.ts";
import type { Fulfillment } from "#sales/orders/order.ts";
import { fulfillments } from "#sales/orders/tables.ts";

export const insertFulfillment = preparedInsert(fulfillments);
export const redactFulfillments = preparedRedaction(fulfillments, {
  orderId: fulfillments.orderId,
  id: fulfillments.id,
});
const trackFulfillment = preparedWrite<Pick<Fulfillment, "orderId" | "id" | "tracking">>()(
  (tx, at) =>
    tx
      .update(fulfillments)
      .set({ tracking: sql`${sql.param(at.tracking, fulfillments.tracking)}` })
      .where(and(eq(fulfillments.orderId, at.orderId), eq(fulfillments.id, at.id))),
);

/** Replaces the tracking of a fulfillment. */
export async function writeTracking(tx: Tx, { orderId, id, tracking }: Fulfillment): Promise<void> {
  await trackFulfillment(tx, { orderId, id, tracking });
}
