// The shipping charge of an order, as given in the request.

import type { CurrencyCode } from "#kernel/currency.ts";
import { readAmount } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";

export interface ShippingRequest {
  readonly label: string | null;
  /** In major units. */
  readonly amount: number | string;
}

export interface Shipping {
  readonly label: string | null;
  readonly amountMinor: number;
}

const noShipping: Shipping = { label: null, amountMinor: 0 };

/** Returns the charge in minor units of the order's currency. Adds a fault for an invalid amount. */
export function readShipping(
  request: ShippingRequest | null,
  currency: CurrencyCode,
  faults: Faults,
): Shipping {
  if (request === null) return noShipping;
  const place = { faults, pointer: "/shipping/amount" };
  const amountMinor = readAmount(request.amount, currency, place);
  return amountMinor === null ? noShipping : { label: request.label, amountMinor };
}
