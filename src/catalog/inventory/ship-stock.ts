// Story: take the units of a fulfillment out of the stock.

import { recordMovement } from "#catalog/ledger/record-movement.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { byVariant, insufficientStock } from "./inventory.ts";
import { lockLevelRow, moveUnits } from "./queries.ts";
import type { StockDemand } from "./reserve-stock.ts";

/**
 * Subtracts the units from what is reserved and, if the variant is tracked, from what is on hand. Refuses
 * with `insufficient_stock` if fewer units are on hand.
 */
export async function shipStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  const short: { variant_id: string; requested: number; on_hand: number }[] = [];
  for (const { variantId, quantity } of demands.toSorted(byVariant)) {
    const level = await lockLevelRow(tx, variantId);
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
      detail: "There are not enough units on hand for the fulfillment.",
      members: { items: short },
    });
  }
}
