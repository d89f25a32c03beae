// Stock of a variant and the rules of it. on_hand is what lies on the shelf, reserved what is sold
// and not yet shipped, available what can still be sold.

import { defineRefusal } from "#kernel/refusal.ts";

export const backorders = ["deny", "allow"] as const;
export type Backorder = (typeof backorders)[number];

/** Why stock changed; the first group is what a person may give. */
export const adjustmentReasons = [
  "received",
  "sale",
  "return",
  "damage",
  "correction",
  "count",
] as const;
export type AdjustmentReason = (typeof adjustmentReasons)[number];
export const movementReasons = [
  ...adjustmentReasons,
  "reservation",
  "release",
  "fulfillment",
] as const;
export type MovementReason = (typeof movementReasons)[number];

/** Units one variant can have: more than any warehouse, and far below where sums lose units. */
export const STOCK_MAX = 1_000_000_000;

export interface StockLevel {
  readonly onHand: number;
  readonly reserved: number;
  readonly lowStockThreshold: number;
  readonly tracked: boolean;
}

/** What can still be sold; null where nobody counts, below zero where more was sold than is there. */
export function availableOf(level: StockLevel): number | null {
  return level.tracked ? level.onHand - level.reserved : null;
}

/** Whether fewer can be sold than the merchant wants to be told of. */
export function isLow(level: StockLevel): boolean {
  const available = availableOf(level);
  return available !== null && available < level.lowStockThreshold;
}

export const inventoryNotFound = defineRefusal(
  "inventory_not_found",
  "not_found",
  "There is no such variant in the inventory.",
);
export const insufficientStock = defineRefusal(
  "insufficient_stock",
  "conflict",
  "There is not enough stock for every line.",
);
export const staleStock = defineRefusal(
  "stale_stock",
  "conflict",
  "The stock on hand is not what was expected.",
);
export const stockBelowZero = defineRefusal(
  "stock_below_zero",
  "conflict",
  "The change would leave less than nothing on hand.",
);
