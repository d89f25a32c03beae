// Story: an order takes its units out of what can be sold. The guard is in the statement: of two
// buyers of the last unit, one gets no row.

import type { Id } from "#kernel/id.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { availableOf, insufficientStock } from "./inventory.ts";
import { findLevel, reserveUnits } from "./queries.ts";
import { recordMovement } from "./record-movement.ts";

/** Units of one variant; an order names each variant once here, with its lines summed. */
export interface StockDemand {
  readonly variantId: Id<"variant">;
  readonly quantity: number;
}

/** A variant that is short, as the refusal tells it. */
interface Shortage {
  readonly variant_id: string;
  readonly requested: number;
  readonly available: number;
}

/**
 * Afterwards all units are reserved. Refuses with `insufficient_stock`, naming every variant that is
 * short. Rows are taken in sorted order, so that two orders never wait for each other.
 */
export async function reserveStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  const sorted = demands.toSorted(byVariant);
  // Asked for together: whoever wants the same rows waits for one answer from the store, not for each.
  const levels = await Promise.all(
    sorted.map(({ variantId, quantity }) => reserveUnits(tx, variantId, quantity)),
  );
  const short: Shortage[] = [];
  for (const [index, demand] of sorted.entries()) {
    const after = levels[index];
    if (after === undefined) {
      short.push(await shortage(tx, demand));
    } else {
      const before = { ...after, reserved: after.reserved - demand.quantity };
      await recordMovement(tx, after, { before, reason: "reservation", orderId });
    }
  }
  if (short.length > 0) throw insufficientStock({ members: { items: short } });
}

/** Units that came back, and a variant that went, since the guard said no: the story runs again. */
async function shortage(tx: Tx, { variantId, quantity }: StockDemand): Promise<Shortage> {
  const level = await findLevel(tx, variantId);
  const available = level === undefined ? null : availableOf(level);
  if (available === null || available >= quantity || level?.backorder === "allow") {
    throw new WriteConflict("The stock");
  }
  return { variant_id: variantId, requested: quantity, available };
}

function byVariant(one: StockDemand, other: StockDemand): number {
  return one.variantId < other.variantId ? -1 : 1;
}
