// The charge for shipping an order, as it was asked for.

import type { CurrencyCode } from "#kernel/currency.ts";
import { parseAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";

export interface ShippingRequest {
  readonly label: string | null;
  /** In major units. */
  readonly amount: number | string;
}

export interface Shipping {
  readonly label: string | null;
  readonly amountMinor: number;
}

/** The charge in minor units of the order's currency. Refuses with `validation_failed`. */
export function readShipping(request: ShippingRequest | null, currency: CurrencyCode): Shipping {
  if (request === null) return { label: null, amountMinor: 0 };
  const parsed = parseAmount(request.amount, currency);
  if (!("fault" in parsed)) return { label: request.label, amountMinor: parsed.amountMinor };
  const faults = new Faults();
  faults.add("/shipping/amount", parsed.fault, `This is not an amount of ${currency}.`);
  faults.refuseIfAny();
  return { label: null, amountMinor: 0 };
}
