// Story: create a pickup location.

import { newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/lock-price-terms.ts";

import { countLocations, pickupLocationRows } from "../queries.ts";
import {
  PICKUP_LOCATIONS_MAX,
  type PickupLocation,
  type PickupLocationFields,
  type PickupLocationInput,
  pickupLocationLimit,
  plainLocation,
  readLocation,
} from "./pickup-location.ts";

/** A location to create. What is not given has its default. */
export type NewPickupLocation = PickupLocationInput &
  Pick<PickupLocationFields, "name" | "address">;

/** Inserts the location. Refuses with `validation_failed` and `pickup_location_limit`. */
export async function createPickupLocation(
  tx: Tx,
  input: NewPickupLocation,
): Promise<PickupLocation> {
  const { name, address } = input;
  const faults = new Faults();
  const fields = readLocation({ ...plainLocation, name, address }, input, faults);
  faults.refuseIfAny();
  await lockPriceTerms(tx);
  if ((await countLocations(tx)) >= PICKUP_LOCATIONS_MAX) throw pickupLocationLimit();
  const id = newId("pickupLocation", tx.now);
  const location = { ...fields, id, version: 1, createdAt: tx.now, updatedAt: tx.now };
  await pickupLocationRows.insert(tx, location);
  return location;
}
