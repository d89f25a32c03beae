// Stock of variants: types, rules and refusals. on_hand counts the units in the shop, reserved those that
// are sold and not shipped, available those that can still be sold.

import {
  defineMembers,
  defineRefusal,
  member,
  type Members,
  publicMember,
} from "#kernel/refusal.ts";

export const backorders = ["deny", "allow"] as const;
export type Backorder = (typeof backorders)[number];

/** Reasons of a stock change that a request may give. */
export const adjustmentReasons = [
  "received",
  "sale",
  "return",
  "damage",
  "correction",
  "count",
] as const;
export type AdjustmentReason = (typeof adjustmentReasons)[number];
/** All reasons in the ledger, including those of orders. */
export const movementReasons = [
  ...adjustmentReasons,
  "reservation",
  "release",
  "fulfillment",
  "fulfillment_cancelled",
] as const;
export type MovementReason = (typeof movementReasons)[number];

/** Units of one variant: more than any warehouse holds, and far below the limit of exact integers. */
export const STOCK_MAX = 1_000_000_000;

export interface StockLevel {
  readonly onHand: number;
  readonly reserved: number;
  readonly lowStockThreshold: number;
  readonly tracked: boolean;
}

/** Returns the units that can still be sold: null if untracked, negative if more were sold than are there. */
export function availableOf(level: StockLevel): number | null {
  return level.tracked ? level.onHand - level.reserved : null;
}

/** Returns true if an order may take so many units: they are available, or need not be. */
export function canReserve(
  level: StockLevel & { readonly backorder: Backorder },
  quantity: number,
): boolean {
  const available = availableOf(level);
  return available === null || level.backorder === "allow" || available >= quantity;
}

/** Returns true if available stock is below the level's threshold. */
export function isLow(level: StockLevel): boolean {
  const available = availableOf(level);
  return available !== null && available < level.lowStockThreshold;
}

/** Orders rows by variant. Every story locks levels in this order, so that no two deadlock. */
export function byVariant(
  one: { readonly variantId: string },
  other: { readonly variantId: string },
): number {
  if (one.variantId === other.variantId) return 0;
  return one.variantId < other.variantId ? -1 : 1;
}

export const inventoryNotFound = defineRefusal(
  "inventory_not_found",
  "not_found",
  "There is no such variant in the inventory.",
);
export const insufficientStock = defineRefusal("insufficient_stock", "conflict", {
  title: "There is not enough stock for every line.",
  cause: "Less stock is available than the request needs. `items` lists each short variant.",
  remedy: "Reduce the quantities to what is available, or add stock.",
  example: {
    members: {
      items: [{ variant_id: "var_01jd2k8m3n4p5q6r7s8t9v0w1x", requested: 3, available: 1 }],
    },
  },
});
export const staleStock = defineRefusal("stale_stock", "conflict", {
  title: "The stock on hand differs from the expected quantity.",
  cause: "`expected` differs from the stock on hand (`on_hand`): a sale or a colleague was faster.",
  remedy: "Read the stock again and repeat the count with the new `expected`.",
  example: { members: { on_hand: 7 } },
});
export const stockBelowZero = defineRefusal("stock_below_zero", "conflict", {
  title: "The adjustment would make the stock on hand negative.",
  cause: "The adjustment removes more units than are on hand (`on_hand`).",
  remedy: "Remove at most the units on hand.",
  example: { members: { on_hand: 2 } },
});

/** Stock is told to publishable keys between these bounds alone. */
export const PUBLIC_STOCK = { minimum: 0, maximum: 20 } as const;

const stockMembers = defineMembers({
  items: publicMember({
    type: "array",
    description: "With `insufficient_stock`: every variant that is short.",
    items: {
      type: "object",
      required: ["variant_id", "requested"],
      additionalProperties: false,
      properties: {
        variant_id: publicMember(member.text("The id of the variant.")),
        requested: publicMember(member.units("Units that the request needs.")),
        available: publicMember({
          "x-public": PUBLIC_STOCK,
          ...member.units("Units that can be ordered."),
        }),
        on_hand: member.units("In place of `available`, where units are to be shipped."),
      },
    },
  }),
  on_hand: member.units("The units on hand now."),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof stockMembers> {}
}
