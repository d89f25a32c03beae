// The charge for shipping an order, as it was asked for.

import type { Judgement } from "#catalog/variants/judgement.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { parseAmount } from "#kernel/money.ts";

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

/** The charge in minor units of the order's currency; notes an amount that is none. */
export function readShipping(
  request: ShippingRequest | null,
  currency: CurrencyCode,
  judgement: Judgement,
): Shipping {
  if (request === null) return noShipping;
  const parsed = parseAmount(request.amount, currency);
  if (!("fault" in parsed)) return { label: request.label, amountMinor: parsed.amountMinor };
  judgement.invalid("/shipping/amount", parsed.fault, `This is not an amount of ${currency}.`);
  return noShipping;
}
