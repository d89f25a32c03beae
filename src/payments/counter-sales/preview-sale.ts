// Workflow: what a new order would come to.

import { rehearse } from "#payments/previews/rehearse.ts";
import type { Shop } from "#platform/database/shop.ts";

import { type CounterSale, sellAtCounter, type SoldOrder } from "./sell-at-counter.ts";

/** The order as it would be placed, paid and taken along. Nothing is changed. Refuses as `sellAtCounter` does. */
export function previewSale({ database }: Shop, sale: CounterSale): Promise<SoldOrder> {
  return rehearse(database, (tx) => sellAtCounter(tx, sale));
}
