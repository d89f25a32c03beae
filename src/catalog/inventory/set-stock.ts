// Stories: set or adjust the stock of a variant or of many, or change its stock settings.

import {
  type AdjustmentReason,
  type Backorder,
  byVariant,
  staleStock,
  STOCK_MAX,
  stockBelowZero,
} from "#catalog/rows/inventory.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { FaultCode } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import { Faults, Refusal } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { lockLevel } from "./lookups.ts";
import { changeLevel, type InventoryLevel } from "./queries.ts";
import { recordMovement } from "./record-movement.ts";

export interface StockChange {
  /** The counted stock. May be lower than what is reserved. */
  readonly onHand?: number | undefined;
  /** The units to add or, if negative, to subtract; excludes `onHand`. */
  readonly adjust?: number | undefined;
  /** The stock on hand that the caller expects before the change. */
  readonly expected?: number | undefined;
  readonly reason?: AdjustmentReason | undefined;
  readonly note?: string | null | undefined;
  readonly lowStockThreshold?: number | undefined;
  readonly tracked?: boolean | undefined;
  readonly backorder?: Backorder | undefined;
}

/**
 * Writes the level and a movement; does neither if no value differs. Refuses with `inventory_not_found`,
 * `stale_version`, `stale_stock`, `stock_below_zero` and `validation_failed`. Invariant: every refusal comes
 * before the first write, so that a batch can continue after one.
 */
export async function setStock(
  tx: Tx,
  variantId: Id<"variant">,
  { change, expected }: { readonly change: StockChange; readonly expected: ExpectedVersion },
): Promise<InventoryLevel> {
  const before = await lockLevel(tx, variantId);
  requireVersion(before.version, expected);
  const next = {
    onHand: countAfter(before, change),
    lowStockThreshold: change.lowStockThreshold ?? before.lowStockThreshold,
    tracked: change.tracked ?? before.tracked,
    backorder: change.backorder ?? before.backorder,
  };
  if (Bun.deepEquals({ ...before, ...next }, before)) return before;
  const after = await changeLevel(tx, before, next);
  if (after === undefined) throw new WriteConflict("The stock level");
  await recordMovement(tx, after, {
    before,
    reason: change.reason ?? (change.onHand === undefined ? "correction" : "count"),
    note: change.note ?? null,
  });
  return after;
}

function countAfter(before: InventoryLevel, change: StockChange): number {
  if (change.onHand !== undefined && change.adjust !== undefined) {
    refuse("/adjust", "conflicting_fields", "Give either on_hand or adjust.");
  }
  if (change.expected !== undefined && change.expected !== before.onHand) {
    throw staleStock({
      detail: `The stock on hand is ${before.onHand}, not ${change.expected}.`,
      members: { on_hand: before.onHand },
    });
  }
  const after = change.onHand ?? before.onHand + (change.adjust ?? 0);
  if (after < 0) {
    throw stockBelowZero({
      detail: `The stock on hand is ${before.onHand}.`,
      members: { on_hand: before.onHand },
    });
  }
  if (after > STOCK_MAX) {
    refuse("/adjust", "too_large", `The stock on hand is at most ${STOCK_MAX}.`);
  }
  return after;
}

function refuse(pointer: string, code: FaultCode, detail: string): void {
  const faults = new Faults();
  faults.add(pointer, code, detail);
  faults.refuseIfAny();
}

export interface StockRow {
  readonly variantId: Id<"variant">;
  readonly change: StockChange;
}

/** The new level of a row, or its refusal. */
export type StockRowResult =
  | { readonly variantId: Id<"variant">; readonly level: InventoryLevel }
  | { readonly variantId: Id<"variant">; readonly refusal: Refusal };

/**
 * Applies every row that is not refused. Returns the results in the order of `rows`. Levels are locked in
 * the order of variants; rows of the same variant are applied in their given order.
 */
export async function setStockBatch(tx: Tx, rows: readonly StockRow[]): Promise<StockRowResult[]> {
  const results = new Map<StockRow, StockRowResult>();
  for (const row of rows.toSorted(byVariant)) results.set(row, await setRow(tx, row));
  return rows.flatMap((row) => results.get(row) ?? []);
}

/** Catching a refusal is safe: `setStock` writes nothing before it refuses. */
async function setRow(tx: Tx, { variantId, change }: StockRow): Promise<StockRowResult> {
  try {
    return { variantId, level: await setStock(tx, variantId, { change, expected: null }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { variantId, refusal: error };
  }
}
