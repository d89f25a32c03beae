// Story: write a change of a level to the ledger, and emit `inventory.low` if it crossed the threshold.

import { isLow, type MovementReason, type StockLevel } from "#catalog/rows/inventory.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { inventoryLow } from "./events.ts";
import { insertMovement, type InventoryLevel } from "./queries.ts";

/** The level before the change, and its reason. */
export interface MovementCause {
  readonly before: StockLevel;
  readonly reason: MovementReason;
  readonly orderId?: Id<"order">;
  readonly note?: string | null;
}

/**
 * Inserts the movement that the level's statement linked, if either count changed. Emits `inventory.low` if the level
 * became low.
 */
export async function recordMovement(
  tx: Tx,
  after: InventoryLevel,
  cause: MovementCause,
): Promise<void> {
  const deltaOnHand = after.onHand - cause.before.onHand;
  const deltaReserved = after.reserved - cause.before.reserved;
  if (deltaOnHand !== 0 || deltaReserved !== 0) {
    if (after.lastMovementId === null)
      throw new Error(`${after.variantId} has no movement to insert.`);
    await insertMovement(tx, {
      id: after.lastMovementId,
      previousId: after.previousMovementId,
      variantId: after.variantId,
      deltaOnHand,
      deltaReserved,
      reason: cause.reason,
      orderId: cause.orderId ?? null,
      note: cause.note ?? null,
      actor: tx.actor,
      balanceOnHand: after.onHand,
      balanceReserved: after.reserved,
      createdAt: tx.now,
    });
  }
  if (isLow(after) && !isLow(cause.before)) await tx.emit(inventoryLow(after));
}
