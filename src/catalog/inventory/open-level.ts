// Story: a new variant gets its place in the inventory.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";
import { findStore } from "#shop/store/find-store.ts";

import type { Backorder } from "./inventory.ts";
import { insertLevel } from "./queries.ts";
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

/** Afterwards the variant is counted from what is on hand; a new level is never announced as low. */
export async function openLevel(tx: Tx, level: NewLevel): Promise<void> {
  const opened = {
    variantId: level.variantId,
    productId: level.productId,
    sku: level.sku,
    onHand: level.onHand,
    reserved: 0,
    lowStockThreshold: level.lowStockThreshold ?? (await findStore(tx)).lowStockThreshold,
    tracked: level.tracked ?? true,
    backorder: level.backorder ?? "deny",
    version: 1,
    updatedAt: tx.now,
  };
  await insertLevel(tx, opened);
  await recordMovement(tx, opened, {
    before: { ...opened, onHand: 0 },
    reason: "received",
  });
}
