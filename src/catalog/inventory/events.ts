// What the world hears of stock.

import type { Announcement } from "#platform/database/database.ts";

import { availableOf, type StockLevel } from "./inventory.ts";

/** Fewer are left than the merchant's threshold; told once, when that line is crossed. */
export function inventoryLow(
  level: StockLevel & {
    readonly variantId: string;
    readonly productId: string;
    readonly sku: string | null;
  },
): Announcement {
  return {
    name: "inventory.low",
    subject: level.variantId,
    data: {
      variant_id: level.variantId,
      product_id: level.productId,
      sku: level.sku,
      available: availableOf(level),
      threshold: level.lowStockThreshold,
    },
  };
}
