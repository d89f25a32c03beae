// Story: create a shipping rate.

import { newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/lock-price-terms.ts";

import { countRates, rateRows } from "../queries.ts";
import { lockZoneOf } from "./lock-zone-of.ts";
import {
  plainRate,
  RATES_PER_ZONE_MAX,
  readRate,
  type ShippingRate,
  type ShippingRateFields,
  type ShippingRateInput,
  shippingRateLimit,
} from "./rate.ts";

/** A rate to create. What is not given has its default. */
export type NewShippingRate = ShippingRateInput &
  Pick<ShippingRateFields, "zoneId" | "name" | "kind">;

/** Inserts the rate. Refuses with `validation_failed` and `shipping_rate_limit`. */
export async function createShippingRate(tx: Tx, input: NewShippingRate): Promise<ShippingRate> {
  const { zoneId, name, kind } = input;
  const faults = new Faults();
  await lockPriceTerms(tx);
  await lockZoneOf(tx, zoneId, faults);
  const fields = readRate({ ...plainRate, zoneId, name, kind }, input, faults);
  faults.refuseIfAny();
  if ((await countRates(tx, zoneId)) >= RATES_PER_ZONE_MAX) throw shippingRateLimit();
  const id = newId("shippingRate", tx.now);
  const rate = { ...fields, id, version: 1, createdAt: tx.now, updatedAt: tx.now };
  await rateRows.insert(tx, rate);
  return rate;
}
