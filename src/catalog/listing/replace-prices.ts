// Story: write the lowest price of a product in each currency, by which lists sort and filter.

import type { Variant } from "#catalog/variants/variant.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { lowestPrices } from "./lowest-prices.ts";
import { addPrice, removePrice } from "./row-queries.ts";

export interface VariantsChange {
  readonly before: readonly Variant[];
  readonly after: readonly Variant[];
}

/** Afterwards the rows of prices say what the variants do. The product must be locked, or new. */
export async function replacePrices(
  tx: Tx,
  productId: Id<"product">,
  variants: VariantsChange,
): Promise<void> {
  const [before, after] = [lowestPrices(variants.before), lowestPrices(variants.after)];
  for (const [currency, amountMinor] of before) {
    if (after.get(currency) !== amountMinor) await removePrice(tx, { productId, currency });
  }
  for (const [currency, amountMinor] of after) {
    if (before.get(currency) === amountMinor) continue;
    await addPrice(tx, { productId, currency, amountMinor });
  }
}
