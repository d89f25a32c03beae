// The shipping of a sale as a request names it: an option of the shop, or an amount of the merchant's own.

import type { CurrencyCode } from "#kernel/currency.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { type Id, isId } from "#kernel/id.ts";
import { readAmount } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";

/** A shipping rate, or a place where the customer collects the order. */
export type ShippingOptionId = Id<"shippingRate"> | Id<"pickupLocation">;

export type ShippingRequest =
  | { readonly optionId: ShippingOptionId }
  | {
      readonly label: string | null;
      /** In major units. */
      readonly amount: number | string;
    };

/** An option by its id, or an amount in minor units. */
export type ShippingAsked =
  | { readonly optionId: ShippingOptionId }
  | { readonly label: string | null; readonly amountMinor: number };

/** The option that is asked for; null without one. */
export function optionIdOf(asked: ShippingAsked | null | undefined): ShippingOptionId | null {
  return asked !== null && asked !== undefined && "optionId" in asked ? asked.optionId : null;
}

/** Reads what is asked for in the currency of the sale. Adds a fault for an amount that is none of it. */
export function readShipping(
  request: ShippingRequest | null,
  currency: CurrencyCode,
  faults: Faults,
): ShippingAsked | null {
  if (request === null || "optionId" in request) return request;
  const place = { faults, pointer: "/shipping/amount" };
  const amountMinor = readAmount(request.amount, currency, place);
  return amountMinor === null ? null : { label: request.label, amountMinor };
}

/** Adds the fault of an option that the shop does not have. */
export function addUnknownOption(
  { optionId }: { readonly optionId: ShippingOptionId },
  faults: Faults,
): void {
  if (isId("shippingRate", optionId)) {
    faults.add("/shipping/rate_id", "unknown_shipping_rate", "There is no such active rate.");
    return;
  }
  const detail = "There is no such active pickup location.";
  faults.add("/shipping/pickup_location_id", "unknown_pickup_location", detail);
}

const shippingFaults = defineFaults({
  currency_mismatch: "The currency is not the currency of the order.",
  unknown_shipping_rate: "There is no such shipping rate, or it is not active.",
  unknown_pickup_location: "There is no such pickup location, or it is not active.",
  unknown_shipping_zone: "There is no such shipping zone.",
  overlapping_zones: "Another shipping zone has the same place.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof shippingFaults> {}
}
