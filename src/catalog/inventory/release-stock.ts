// Story: a cancelled order gives its units back to what can be sold.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { moveUnits } from "./queries.ts";
import { recordMovement } from "./record-movement.ts";
import type { StockDemand } from "./reserve-stock.ts";

/** Afterwards the units are no longer reserved. They were: anything else is a bug. */
export async function releaseStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  for (const { variantId, quantity } of demands.toSorted((a, b) =>
    a.variantId < b.variantId ? -1 : 1,
  )) {
    const after = await moveUnits(tx, variantId, { deltaOnHand: 0, deltaReserved: -quantity });
    if (after === undefined) throw new Error(`${variantId} has fewer than ${quantity} reserved.`);
    const before = { ...after, reserved: after.reserved + quantity };
    await recordMovement(tx, after, { before, reason: "release", orderId });
  }
}
