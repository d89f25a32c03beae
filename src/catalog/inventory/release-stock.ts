// Story: release the units that an order reserved.

import { recordMovement } from "#catalog/ledger/record-movement.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { byVariant } from "./inventory.ts";
import { moveUnits } from "./queries.ts";
import type { StockDemand } from "./reserve-stock.ts";

/** Subtracts the units from what is reserved. Throws if fewer are reserved, which is a bug. */
export async function releaseStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  for (const { variantId, quantity } of demands.toSorted(byVariant)) {
    const after = await moveUnits(tx, variantId, { deltaOnHand: 0, deltaReserved: -quantity });
    if (after === undefined) throw new Error(`${variantId} has fewer than ${quantity} reserved.`);
    const before = { ...after, reserved: after.reserved + quantity };
    await recordMovement(tx, after, { before, reason: "release", orderId });
  }
}
