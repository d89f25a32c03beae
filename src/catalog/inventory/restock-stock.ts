// Story: add returned units to the stock on hand.

import { recordMovement } from "#catalog/ledger/record-movement.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { byVariant } from "./inventory.ts";
import { lockLevelRow, moveUnits } from "./queries.ts";
import type { StockDemand } from "./reserve-stock.ts";

/** Adds the units to what is on hand. Skips untracked and deleted variants. */
export async function restockStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  for (const { variantId, quantity } of demands.toSorted(byVariant)) {
    const before = await lockLevelRow(tx, variantId);
    if (before === undefined || !before.tracked) continue;
    const after = await moveUnits(tx, variantId, { deltaOnHand: quantity, deltaReserved: 0 });
    if (after === undefined) throw new Error(`${variantId} cannot have more on hand.`);
    await recordMovement(tx, after, { before, reason: "return", orderId });
  }
}
