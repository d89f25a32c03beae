// Story: units leave the house with a fulfillment.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { insufficientStock } from "./inventory.ts";
import { findLevel, moveUnits } from "./queries.ts";
import { recordMovement } from "./record-movement.ts";
import type { StockDemand } from "./reserve-stock.ts";

/**
 * Afterwards the units are neither on hand nor reserved; of a variant that nobody counts only the
 * reservation ends. Refuses with `insufficient_stock` where more would ship than is on hand.
 */
export async function shipStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  const short: { variant_id: string; requested: number; on_hand: number }[] = [];
  for (const { variantId, quantity } of demands.toSorted((a, b) =>
    a.variantId < b.variantId ? -1 : 1,
  )) {
    const level = await findLevel(tx, variantId);
    const deltaOnHand = level?.tracked === false ? 0 : -quantity;
    const after = await moveUnits(tx, variantId, { deltaOnHand, deltaReserved: -quantity });
    if (after === undefined) {
      short.push({ variant_id: variantId, requested: quantity, on_hand: level?.onHand ?? 0 });
    } else {
      const before = {
        ...after,
        onHand: after.onHand - deltaOnHand,
        reserved: after.reserved + quantity,
      };
      await recordMovement(tx, after, { before, reason: "fulfillment", orderId });
    }
  }
  if (short.length > 0) {
    throw insufficientStock({
      detail: "More would ship than is on hand.",
      members: { items: short },
    });
  }
}
