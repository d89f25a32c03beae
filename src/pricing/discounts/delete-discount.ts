// Story: delete a discount that no order used.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { hasUses } from "#pricing/discount-uses/queries.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";

import { discountInUse } from "./discount.ts";
import { discountRows } from "./queries.ts";

/**
 * Deletes the discount with its codes. Refuses with `discount_not_found`, `stale_version`, and with `discount_in_use`
 * also where the orders were cancelled.
 */
export async function deleteDiscount(
  tx: Tx,
  id: Id<"discount">,
  expected: ExpectedVersion,
): Promise<undefined> {
  await lockPriceTerms(tx);
  const discount = await discountRows.lock(tx, id);
  requireVersion(discount.version, expected);
  if (await hasUses(tx, id)) throw discountInUse();
  await discountRows.drop(tx, id);
}
