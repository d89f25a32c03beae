// Lookups: deliveries with their attempts.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { endpointRows } from "#messaging/webhooks/endpoints/queries.ts";
import type { Reader } from "#platform/database/database.ts";

import { findAttempts } from "./attempt-queries.ts";
import type { Delivery, DeliveryAttempt } from "./delivery.ts";
import { type DeliveryFilters, deliveryRows, listDeliveryRows } from "./queries.ts";

export interface TracedDelivery {
  readonly delivery: Delivery;
  /** In the order of their ends. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** The delivery with this id. Refuses with `delivery_not_found`. */
export async function getDelivery(db: Reader, id: Id<"delivery">): Promise<TracedDelivery> {
  return { delivery: await deliveryRows.get(db, id), attempts: await findAttempts(db, [id]) };
}

/** A page of deliveries with their attempts, newest first. Refuses with `webhook_not_found`. */
export async function listDeliveries(
  db: Reader,
  filters: DeliveryFilters,
  { limit, after }: PageRequest,
): Promise<Page<TracedDelivery>> {
  await endpointRows.get(db, filters.endpointId);
  const page = toPage(await listDeliveryRows(db, filters, { rows: limit + 1, after }), limit);
  const attempts = await findAttempts(
    db,
    page.rows.map(({ id }) => id),
  );
  const rows = page.rows.map((delivery) => ({
    delivery,
    attempts: attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
  }));
  return { rows, hasMore: page.hasMore };
}
