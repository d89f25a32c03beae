// The events of stock.

import type { Announcement } from "#platform/database/database.ts";

import { availableOf, type StockLevel } from "./inventory.ts";

/** Available stock fell below the threshold. Emitted at the crossing, not while it stays below. */
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
