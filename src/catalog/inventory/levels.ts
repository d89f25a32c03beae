// The stock level of a variant: created, renamed and deleted together with the variant.

import type { Backorder } from "#catalog/rows/inventory.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import { deleteLevel, deleteMovements, insertLevel, relabelRow } from "./queries.ts";
import { recordMovement } from "./record-movement.ts";

export interface NewLevel {
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
  readonly onHand: number;
  readonly tracked?: boolean | undefined;
  readonly backorder?: Backorder | undefined;
  readonly lowStockThreshold?: number | undefined;
}

/** Inserts the level with its opening stock and the first movement. Never emits `inventory.low`. */
export async function openLevel(tx: Tx, level: NewLevel): Promise<void> {
  const opened = {
    variantId: level.variantId,
    productId: level.productId,
    sku: level.sku,
    onHand: level.onHand,
    reserved: 0,
    lowStockThreshold: level.lowStockThreshold ?? (await getStore(tx)).lowStockThreshold,
    tracked: level.tracked ?? true,
    backorder: level.backorder ?? "deny",
    version: 1,
    updatedAt: tx.now,
    archivedAt: null,
    lastMovementId: level.onHand === 0 ? null : newId("movement", tx.now),
    previousMovementId: null,
  };
  await insertLevel(tx, opened);
  await recordMovement(tx, opened, {
    before: { ...opened, onHand: 0 },
    reason: "received",
  });
}

/** Writes the level's SKU. */
export async function renameLevel(
  tx: Tx,
  variantId: Id<"variant">,
  sku: string | null,
): Promise<void> {
  await relabelRow(tx, { variantId, sku, archivedAt: null });
}

/** Frees the level's SKU and takes the level out of lists. It stays for the orders that reserve its units. */
export async function archiveLevel(tx: Tx, variantId: Id<"variant">): Promise<void> {
  await relabelRow(tx, { variantId, sku: null, archivedAt: tx.now });
}

/** Deletes the level and its ledger. */
export async function dropLevel(tx: Tx, variantId: Id<"variant">): Promise<void> {
  // The level comes first: its row lock stops new movements.
  const level = await deleteLevel(tx, variantId);
  await deleteMovements(tx, level?.lastMovementId ?? null);
}
