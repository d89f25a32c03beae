// Story: delete a shipping rate.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/lock-price-terms.ts";

import { deleteRateRow, rateRows } from "../queries.ts";

/** Deletes the rate; orders keep what they were charged. Refuses with `shipping_rate_not_found`, `stale_version`. */
export async function deleteShippingRate(
  tx: Tx,
  id: Id<"shippingRate">,
  expected: ExpectedVersion,
): Promise<undefined> {
  await lockPriceTerms(tx);
  const rate = await rateRows.lock(tx, id);
  requireVersion(rate.version, expected);
  await deleteRateRow(tx, id);
}
