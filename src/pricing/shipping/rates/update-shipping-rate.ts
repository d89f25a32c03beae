// Story: change a shipping rate.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/lock-price-terms.ts";

import { countRates, rateRows } from "../queries.ts";
import { lockZoneOf } from "./lock-zone-of.ts";
import {
  RATES_PER_ZONE_MAX,
  readRate,
  type ShippingRate,
  type ShippingRateInput,
  shippingRateLimit,
} from "./rate.ts";

export interface ShippingRateUpdate {
  readonly change: ShippingRateInput;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the given fields; a request that changes nothing makes no new version. Orders keep what they were
 * charged. Refuses with `shipping_rate_not_found`, `stale_version`, `validation_failed` and `shipping_rate_limit`.
 */
export async function updateShippingRate(
  tx: Tx,
  id: Id<"shippingRate">,
  { change, expected }: ShippingRateUpdate,
): Promise<ShippingRate> {
  const faults = new Faults();
  await lockPriceTerms(tx);
  if (change.zoneId !== undefined) await lockZoneOf(tx, change.zoneId, faults);
  const before = await rateRows.lock(tx, id);
  requireVersion(before.version, expected);
  const after = { ...before, ...readRate(before, change, faults) };
  faults.refuseIfAny();
  if (
    after.zoneId !== before.zoneId &&
    (await countRates(tx, after.zoneId)) >= RATES_PER_ZONE_MAX
  ) {
    throw shippingRateLimit();
  }
  return Bun.deepEquals(after, before) ? before : rateRows.save(tx, before, after);
}
