// Story: goods came back and lie on the shelf again.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { findLevel, moveUnits } from "./queries.ts";
import { recordMovement } from "./record-movement.ts";
import type { StockDemand } from "./reserve-stock.ts";

/** Afterwards the units are on hand; of a variant that nobody counts, or that is gone, nothing is. */
export async function restockStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  for (const { variantId, quantity } of demands.toSorted((a, b) =>
    a.variantId < b.variantId ? -1 : 1,
  )) {
    const before = await findLevel(tx, variantId);
    if (before === undefined || !before.tracked) continue;
    const after = await moveUnits(tx, variantId, { deltaOnHand: quantity, deltaReserved: 0 });
    if (after === undefined) throw new Error(`${variantId} has more on hand than there can be.`);
    await recordMovement(tx, after, { before, reason: "return", orderId });
  }
}
