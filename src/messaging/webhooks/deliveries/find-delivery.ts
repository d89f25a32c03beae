// Lookup: one delivery with every attempt.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

import { findAttempts } from "./attempt-queries.ts";
import { type Attempt, type Delivery, deliveryNotFound } from "./delivery.ts";
import { findDeliveryRow } from "./queries.ts";

export interface TracedDelivery {
  readonly delivery: Delivery;
  /** In the order in which they ended. */
  readonly attempts: readonly Attempt[];
}

/** The delivery with this id. Refuses with `delivery_not_found`. */
export async function findDelivery(db: Reader, id: Id<"delivery">): Promise<TracedDelivery> {
  const delivery = await findDeliveryRow(db, id);
  if (delivery === undefined) throw deliveryNotFound();
  return { delivery, attempts: await findAttempts(db, [id]) };
}
