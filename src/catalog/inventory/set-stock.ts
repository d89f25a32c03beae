// Story: the merchant counts, receives or corrects stock, or changes how a variant is counted.

import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import {
  type AdjustmentReason,
  type Backorder,
  staleStock,
  STOCK_MAX,
  stockBelowZero,
} from "./inventory.ts";
import { getLevel } from "./lookups.ts";
import { changeLevel, type InventoryLevel } from "./queries.ts";
import { recordMovement } from "./record-movement.ts";

export interface StockChange {
  /** What was counted; a count is a fact, even below what is reserved. */
  readonly onHand?: number | undefined;
  /** What came or went, instead of a count. */
  readonly adjust?: number | undefined;
  /** What the caller believes is on hand now. */
  readonly expected?: number | undefined;
  readonly reason?: AdjustmentReason | undefined;
  readonly note?: string | null | undefined;
  readonly lowStockThreshold?: number | undefined;
  readonly tracked?: boolean | undefined;
  readonly backorder?: Backorder | undefined;
}

/**
 * Afterwards the level is as asked and the ledger says why; what is asked as it is changes nothing.
 * Writes nothing before it has refused: `inventory_not_found`, `stale_version`, `stale_stock`,
 * `stock_below_zero`, `validation_failed`.
 */
export async function setStock(
  tx: Tx,
  variantId: Id<"variant">,
  { change, expected }: { readonly change: StockChange; readonly expected: ExpectedVersion },
): Promise<InventoryLevel> {
  const before = await getLevel(tx, variantId);
  requireVersion(before.version, expected);
  const wanted = {
    onHand: countAfter(before, change),
    lowStockThreshold: change.lowStockThreshold ?? before.lowStockThreshold,
    tracked: change.tracked ?? before.tracked,
    backorder: change.backorder ?? before.backorder,
  };
  if (Bun.deepEquals({ ...before, ...wanted }, before)) return before;
  const after = await changeLevel(tx, before, wanted);
  if (after === undefined) throw new WriteConflict("The stock level");
  await recordMovement(tx, after, {
    before,
    reason: change.reason ?? (change.onHand === undefined ? "correction" : "count"),
    note: change.note ?? null,
  });
  return after;
}

function countAfter(before: InventoryLevel, change: StockChange): number {
  refuseBothCountAndAdjustment(change);
  if (change.expected !== undefined && change.expected !== before.onHand) {
    throw staleStock({
      detail: `There are ${before.onHand} on hand, not ${change.expected}.`,
      members: { on_hand: before.onHand },
    });
  }
  const after = change.onHand ?? before.onHand + (change.adjust ?? 0);
  if (after < 0) {
    throw stockBelowZero({
      detail: `There are ${before.onHand} on hand.`,
      members: { on_hand: before.onHand },
    });
  }
  if (after > STOCK_MAX) refuse("/adjust", "too_large", `At most ${STOCK_MAX} can be on hand.`);
  return after;
}

function refuseBothCountAndAdjustment(change: StockChange): void {
  if (change.onHand === undefined || change.adjust === undefined) return;
  refuse("/adjust", "conflicting_fields", "Give either on_hand or adjust.");
}

function refuse(pointer: string, code: string, detail: string): void {
  const faults = new Faults();
  faults.add(pointer, code, detail);
  faults.refuseIfAny();
}
