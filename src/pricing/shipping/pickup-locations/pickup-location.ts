// Pickup locations: where customers fetch what they bought.

import { type Change, defined } from "#kernel/change.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineRefusal, type Faults } from "#kernel/refusal.ts";

import { amountIn, type AmountInput, readAmounts } from "../amounts.ts";
import type { PickupLocationRow } from "../tables.ts";

/** Pickup locations of a shop: a customer chooses among the active ones. */
export const PICKUP_LOCATIONS_MAX = 50;

export type PickupLocation = PickupLocationRow;

/** The fields that a request can set. */
export type PickupLocationFields = Omit<
  PickupLocation,
  "id" | "version" | "createdAt" | "updatedAt"
>;

/** The fields that a request gives. */
export type PickupLocationInput = Change<
  Omit<PickupLocationFields, "amounts"> & { readonly amounts: readonly AmountInput[] }
>;

/** The default fields of a new location. */
export const plainLocation = {
  instructions: null,
  amounts: [],
  active: true,
} as const satisfies Partial<PickupLocationFields>;

export const pickupLocationNotFound = defineRefusal(
  "pickup_location_not_found",
  "not_found",
  "There is no such pickup location.",
);
export const pickupLocationLimit = defineRefusal("pickup_location_limit", "conflict", {
  title: `A shop has at most ${PICKUP_LOCATIONS_MAX} pickup locations.`,
  cause: "The shop already has as many pickup locations as a shop can have.",
  remedy: "Delete locations that are no longer needed.",
});

/**
 * The location after a request. Adds faults for an address without a country, bad amounts and two in one
 * currency.
 */
export function readLocation(
  before: PickupLocationFields,
  { amounts, ...rest }: PickupLocationInput,
  faults: Faults,
): PickupLocationFields {
  const after = {
    ...before,
    ...defined(rest),
    ...(amounts !== undefined && { amounts: readAmounts(amounts, "/amounts", faults) }),
  };
  const { country } = after.address;
  // Goods that are fetched are taxed where they are fetched.
  if (country === null) {
    faults.add("/address/country", "required", "The address of a pickup location has a country.");
  }
  return after;
}

/** The fee for fetching in this currency, in minor units; null where the location has other currencies only. */
export function feeOf(
  { amounts }: Pick<PickupLocation, "amounts">,
  currency: CurrencyCode,
): number | null {
  return amounts.length === 0 ? 0 : amountIn(amounts, currency);
}
