// Story: an order takes its units out of what can be sold. The guard is in the statement: of two
// buyers of the last unit, one gets no row.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/store/store.ts";

import { availableOf, insufficientStock } from "./inventory.ts";
import { findLevel, reserveUnits } from "./queries.ts";
import { recordMovement } from "./record-movement.ts";

/** Units of one variant; an order names each variant once here, with its lines summed. */
export interface StockDemand {
  readonly variantId: Id<"variant">;
  readonly quantity: number;
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
  const short: { variant_id: string; requested: number; available: number }[] = [];
  for (const { variantId, quantity } of demands.toSorted(byVariant)) {
    const after = await reserveUnits(tx, variantId, quantity);
    if (after === undefined) {
      const level = await findLevel(tx, variantId);
      const available = level === undefined ? 0 : (availableOf(level) ?? 0);
      short.push({ variant_id: variantId, requested: quantity, available });
    } else {
      const before = { ...after, reserved: after.reserved - quantity };
      await recordMovement(tx, after, { before, reason: "reservation", orderId });
    }
  }
  if (short.length > 0) throw insufficientStock({ members: { items: short } });
}

function byVariant(one: StockDemand, other: StockDemand): number {
  return one.variantId < other.variantId ? -1 : 1;
}
